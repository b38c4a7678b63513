/* libcurl, and its functions of a variable number of arguments as functions that Swift can call. */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

/* Prepares the library; once in a process, before any other call. */
static inline CURLcode ccurl_begin(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

static inline CURLcode ccurl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

/* The text is copied. */
static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

/* What it points to must live as long as the transfer. */
static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

typedef size_t (*ccurl_callback)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode ccurl_set_callback(
    CURL *handle, CURLoption option, ccurl_callback callback) {
    return curl_easy_setopt(handle, option, callback);
}

/* The newest code that the server answered with; 0 when it has not answered. */
static inline long ccurl_reply_code(CURL *handle) {
    long code = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &code);
    return code;
}
