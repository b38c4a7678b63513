/* libcurl, and its functions of a variable number of arguments as functions that Swift can call. */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

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

/* Which addresses a request may reach: those of the public Internet, and those of this machine and
 * of private networks. */
enum { CCURL_PUBLIC = 1, CCURL_PRIVATE = 2 };

/* Tells whether the first `bits` of an address are those of a network. */
static inline int ccurl_is_in(const unsigned char *address, const char *network, int bits) {
    int bytes = bits / 8, rest = bits % 8;
    if (memcmp(address, network, (size_t)bytes) != 0) return 0;
    return rest == 0
        || (address[bytes] >> (8 - rest)) == ((unsigned char)network[bytes] >> (8 - rest));
}

/* Tells whether an IPv4 address is no public one: RFC 6890 and its registry at IANA. */
static inline int ccurl_is_private4(const unsigned char *ip) {
    return ip[0] == 0 || ip[0] == 10 || ip[0] == 127 || ip[0] >= 224
        || (ip[0] == 100 && (ip[1] & 0xc0) == 64) || (ip[0] == 169 && ip[1] == 254)
        || (ip[0] == 172 && (ip[1] & 0xf0) == 16) || (ip[0] == 192 && ip[1] == 168)
        || (ip[0] == 192 && ip[1] == 0 && (ip[2] == 0 || ip[2] == 2))
        || (ip[0] == 198 && (ip[1] & 0xfe) == 18) || (ip[0] == 198 && ip[1] == 51 && ip[2] == 100)
        || (ip[0] == 203 && ip[1] == 0 && ip[2] == 113);
}

/* The same of an IPv6 address. Those that carry an IPv4 address are what that is. */
static inline int ccurl_is_private6(const unsigned char *ip) {
    static const char mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (char)0xff, (char)0xff};
    static const char translated[12] = {0, 0x64, (char)0xff, (char)0x9b};
    if (ccurl_is_in(ip, mapped, 96) || ccurl_is_in(ip, translated, 96))
        return ccurl_is_private4(ip + 12);
    if (ccurl_is_in(ip, "\x20\x02", 16)) return ccurl_is_private4(ip + 2);
    /* Only 2000::/3 is given out, and of it not documentation and Teredo. */
    return !ccurl_is_in(ip, "\x20", 3) || ccurl_is_in(ip, "\x20\x01\x0d\xb8", 32)
        || ccurl_is_in(ip, "\x20\x01\x00\x00", 32);
}

/* Tells what kind of address a socket address is: CCURL_PUBLIC, CCURL_PRIVATE or, of another
 * family, 0. */
static inline int ccurl_kind(const struct sockaddr *address) {
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
        return ccurl_is_private4((const unsigned char *)&v4->sin_addr)
            ? CCURL_PRIVATE : CCURL_PUBLIC;
    }
    if (address->sa_family != AF_INET6) return 0;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
    return ccurl_is_private6((const unsigned char *)&v6->sin6_addr) ? CCURL_PRIVATE : CCURL_PUBLIC;
}

/* The kinds of addresses that a transfer may reach, and whether it wanted to reach another. */
struct ccurl_reach {
    int kinds;
    int was_refused;
};

static inline curl_socket_t ccurl_open(
    void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    struct ccurl_reach *reach = (struct ccurl_reach *)context;
    (void)purpose;
    if ((ccurl_kind(&address->addr) & reach->kinds) == 0) {
        reach->was_refused = 1;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* Lets the transfer reach some kinds of addresses only. What a name stands for is looked at when
 * the connection is opened, so that it can't be exchanged between the two. */
static inline CURLcode ccurl_limit_reach(CURL *handle, struct ccurl_reach *reach) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, reach);
    return code != CURLE_OK
        ? code : curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, ccurl_open);
}

/* Where the newest answer redirects to, an absolute URL; null when it doesn't. It lives as long as
 * the handle. */
static inline const char *ccurl_redirect(CURL *handle) {
    char *url = NULL;
    curl_easy_getinfo(handle, CURLINFO_REDIRECT_URL, &url);
    return url;
}

/* For how many seconds the server asks to be left alone; 0 when it doesn't. */
static inline long ccurl_retry_after(CURL *handle) {
    curl_off_t seconds = 0;
    curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &seconds);
    return seconds < 0 ? 0 : seconds > 86400 ? 86400 : (long)seconds;
}
