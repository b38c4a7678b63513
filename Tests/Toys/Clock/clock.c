// Preloaded into a process, it shifts the time of day by the number of seconds, positive or
// negative, that the file named in SHIFTED_CLOCK contains at that moment. With STOPPED_CLOCK in the
// environment the clocks that measure how long something takes stand still, so that no deadline
// passes; timers of the kernel still end.
#define _GNU_SOURCE
#include "clock.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static long shift(void) {
    const char *path = getenv("SHIFTED_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return 0;
    char text[32];
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    text[count > 0 ? count : 0] = 0;
    return strtol(text, NULL, 10);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, time);
    if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += shift();
    if (result == 0 && (clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME)
        && getenv("STOPPED_CLOCK"))
        *time = (struct timespec){.tv_sec = 1000};
    return result;
}

// Foundation's run loops get the time of day here, and the time that they wait for from the other.
int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    static int (*real)(struct timeval *, void *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "gettimeofday");
    int result = real(time, zone);
    if (result == 0) time->tv_sec += shift();
    return result;
}
