#include "CCurl.h"

#include <dlfcn.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>

/* The functions of libcurl that are called. The program isn't linked with libcurl, because loading
 * it and its dependencies takes a while at each start, and few commands ask a server. */
static struct {
    __typeof__(curl_global_init) *begin;
    __typeof__(curl_easy_init) *init;
    __typeof__(curl_easy_cleanup) *cleanup;
    __typeof__(curl_easy_reset) *reset;
    __typeof__(curl_easy_perform) *perform;
    CURLcode (*setopt)(CURL *handle, CURLoption option, ...);
    CURLcode (*getinfo)(CURL *handle, CURLINFO info, ...);
    __typeof__(curl_easy_strerror) *strerror;
    __typeof__(curl_slist_append) *append;
    __typeof__(curl_slist_free_all) *free_all;
    __typeof__(curl_getdate) *getdate;
} curl;

static CURLcode state = CURLE_FAILED_INIT;

#define FIND(place, name) \
    ((curl.place = (__typeof__(curl.place))dlsym(library, name)) != NULL)

static void load(void) {
    /* The name of the library since 2006, when its interface last changed incompatibly. */
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library != NULL && FIND(begin, "curl_global_init") && FIND(init, "curl_easy_init")
        && FIND(cleanup, "curl_easy_cleanup") && FIND(reset, "curl_easy_reset")
        && FIND(perform, "curl_easy_perform") && FIND(setopt, "curl_easy_setopt")
        && FIND(getinfo, "curl_easy_getinfo") && FIND(strerror, "curl_easy_strerror")
        && FIND(append, "curl_slist_append") && FIND(free_all, "curl_slist_free_all")
        && FIND(getdate, "curl_getdate"))
        state = curl.begin(CURL_GLOBAL_DEFAULT);
}

CURLcode ccurl_begin(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return state;
}

CURL *ccurl_easy_init(void) { return curl.init(); }

void ccurl_easy_cleanup(CURL *handle) { curl.cleanup(handle); }

void ccurl_easy_reset(CURL *handle) { curl.reset(handle); }

CURLcode ccurl_easy_perform(CURL *handle) { return curl.perform(handle); }

const char *ccurl_easy_strerror(CURLcode code) { return curl.strerror(code); }

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text) {
    return curl.append(list, text);
}

void ccurl_slist_free_all(struct curl_slist *list) { curl.free_all(list); }

time_t ccurl_getdate(const char *text) { return curl.getdate(text, NULL); }

CURLcode ccurl_set_number(CURL *handle, CURLoption option, long value) {
    return curl.setopt(handle, option, value);
}

CURLcode ccurl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl.setopt(handle, option, value);
}

CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl.setopt(handle, option, value);
}

CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl.setopt(handle, option, value);
}

CURLcode ccurl_set_callback(CURL *handle, CURLoption option, ccurl_callback callback) {
    return curl.setopt(handle, option, callback);
}

/* Whether the first `bits` bits of an address are those of a network. */
static int is_in(const unsigned char *address, const char *network, int bits) {
    int bytes = bits / 8, rest = bits % 8;
    if (memcmp(address, network, (size_t)bytes) != 0) return 0;
    return rest == 0
        || (address[bytes] >> (8 - rest)) == ((unsigned char)network[bytes] >> (8 - rest));
}

/* Whether an IPv4 address is not public: RFC 6890 and its registry at IANA. */
static int is_private4(const unsigned char *ip) {
    return ip[0] == 0 || ip[0] == 10 || ip[0] == 127 || ip[0] >= 224
        || (ip[0] == 100 && (ip[1] & 0xc0) == 64) || (ip[0] == 169 && ip[1] == 254)
        || (ip[0] == 172 && (ip[1] & 0xf0) == 16) || (ip[0] == 192 && ip[1] == 168)
        || (ip[0] == 192 && ip[1] == 0 && (ip[2] == 0 || ip[2] == 2))
        || (ip[0] == 198 && (ip[1] & 0xfe) == 18) || (ip[0] == 198 && ip[1] == 51 && ip[2] == 100)
        || (ip[0] == 203 && ip[1] == 0 && ip[2] == 113);
}

/* The same for an IPv6 address. One that contains an IPv4 address is private if that address is. */
static int is_private6(const unsigned char *ip) {
    static const char mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (char)0xff, (char)0xff};
    static const char translated[12] = {0, 0x64, (char)0xff, (char)0x9b};
    if (is_in(ip, mapped, 96) || is_in(ip, translated, 96))
        return is_private4(ip + 12);
    if (is_in(ip, "\x20\x02", 16)) return is_private4(ip + 2);
    /* Only 2000::/3 is public, except for documentation and Teredo. */
    return !is_in(ip, "\x20", 3) || is_in(ip, "\x20\x01\x0d\xb8", 32)
        || is_in(ip, "\x20\x01\x00\x00", 32);
}

/* The kind of a socket address: CCURL_PUBLIC, CCURL_PRIVATE, or 0 for another family. */
static int kind_of(const struct sockaddr *address) {
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
        return is_private4((const unsigned char *)&v4->sin_addr)
            ? CCURL_PRIVATE : CCURL_PUBLIC;
    }
    if (address->sa_family != AF_INET6) return 0;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
    return is_private6((const unsigned char *)&v6->sin6_addr) ? CCURL_PRIVATE : CCURL_PUBLIC;
}

static curl_socket_t open_socket(
    void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    struct ccurl_reach *reach = (struct ccurl_reach *)context;
    (void)purpose;
    if ((kind_of(&address->addr) & reach->kinds) == 0) {
        reach->was_refused = 1;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

CURLcode ccurl_limit_reach(CURL *handle, struct ccurl_reach *reach) {
    CURLcode code = curl.setopt(handle, CURLOPT_OPENSOCKETDATA, reach);
    return code != CURLE_OK
        ? code : curl.setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open_socket);
}

long ccurl_reply_code(CURL *handle) {
    long code = 0;
    curl.getinfo(handle, CURLINFO_RESPONSE_CODE, &code);
    return code;
}

const char *ccurl_redirect(CURL *handle) {
    char *url = NULL;
    curl.getinfo(handle, CURLINFO_REDIRECT_URL, &url);
    return url;
}

long ccurl_retry_after(CURL *handle) {
    curl_off_t seconds = 0;
    curl.getinfo(handle, CURLINFO_RETRY_AFTER, &seconds);
    return seconds < 0 ? 0 : seconds > 86400 ? 86400 : (long)seconds;
}
