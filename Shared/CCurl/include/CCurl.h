#ifndef CCURL_H
#define CCURL_H

/* libcurl, loaded when it is first needed, with functions that Swift can call in place of its
 * variadic ones. */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

/* Loads and prepares the library, once in a process. Nothing else may be called before this, or
 * after it has failed: with CURLE_FAILED_INIT when the library isn't installed. */
CURLcode ccurl_begin(void);

/* The functions of libcurl that have the same names without the first letter. */
CURL *ccurl_easy_init(void);
void ccurl_easy_cleanup(CURL *handle);
void ccurl_easy_reset(CURL *handle);
CURLcode ccurl_easy_perform(CURL *handle);
const char *ccurl_easy_strerror(CURLcode code);
struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text);
void ccurl_slist_free_all(struct curl_slist *list);
time_t ccurl_getdate(const char *text);

CURLcode ccurl_set_number(CURL *handle, CURLoption option, long value);
CURLcode ccurl_set_size(CURL *handle, CURLoption option, curl_off_t value);
/* The text is copied. */
CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value);
/* What it points to must live as long as the transfer. */
CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value);

typedef size_t (*ccurl_callback)(char *bytes, size_t size, size_t count, void *context);

CURLcode ccurl_set_callback(CURL *handle, CURLoption option, ccurl_callback callback);

/* Which addresses a request may reach: those of the public Internet, and those of this machine and
 * of private networks. */
enum { CCURL_PUBLIC = 1, CCURL_PRIVATE = 2 };

/* The kinds of addresses that a transfer may reach, and whether it tried to reach another. */
struct ccurl_reach {
    int kinds;
    int was_refused;
};

/* Limits the transfer to some kinds of addresses. The address of a name is checked when the
 * connection is opened, so that it can't change in between. */
CURLcode ccurl_limit_reach(CURL *handle, struct ccurl_reach *reach);

/* The newest code that the server answered with; 0 when it has not answered. */
long ccurl_reply_code(CURL *handle);
/* Where the newest answer redirects to, an absolute URL; null when it doesn't. It lives as long as
 * the handle. */
const char *ccurl_redirect(CURL *handle);
/* How many seconds the server asks clients to wait, a day at most; 0 when it doesn't. */
long ccurl_retry_after(CURL *handle);

#endif
