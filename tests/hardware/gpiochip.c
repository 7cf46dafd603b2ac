/* A fake GPIO chip for lgpio on machines without one: preload it, and it answers for /dev/gpiochip0.
 * Levels are bytes in the file $GPIOCHIP_LEVELS, so that they outlive the process, as on a Raspberry Pi.
 * If $GPIOCHIP_EDGES names a file, every edge is a line "nanoseconds gpio level" in it; with $GPIOCHIP_WATCHED only
 * the edges of that GPIO are. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define LINES 54
#define HANDLES 1024

static int levels = -1, edges = -1, watched = -1;
static int lines_of[HANDLES][LINES], count_of[HANDLES], is_out[LINES];
static unsigned char now_at[LINES];
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

static void change(int gpio, unsigned char level)
{
    char line[64];
    struct timespec t;
    now_at[gpio] = level;
    if (pwrite(levels, &level, 1, gpio) != 1) abort();
    if (edges < 0 || (watched >= 0 && gpio != watched)) return;
    clock_gettime(CLOCK_MONOTONIC, &t);
    int n = snprintf(line, sizeof line, "%lld %d %d\n", t.tv_sec * 1000000000LL + t.tv_nsec, gpio, level);
    if (write(edges, line, n) != n) abort();
}

static void set_level(int gpio, int level)
{
    pthread_mutex_lock(&writing);
    if (now_at[gpio] != (level != 0)) change(gpio, level != 0);
    pthread_mutex_unlock(&writing);
}

static int open_chip(void)
{
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    const char *file = getenv("GPIOCHIP_LEVELS"), *log = getenv("GPIOCHIP_EDGES");
    if (!file) return -1;
    levels = real(file, O_RDWR | O_CREAT, 0600);
    if (pread(levels, now_at, LINES, 0) < 0) abort();
    if (log) edges = real(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (getenv("GPIOCHIP_WATCHED")) watched = atoi(getenv("GPIOCHIP_WATCHED"));
    return eventfd(0, 0);
}

#define OPEN(name)                                                     \
    int name(const char *path, int flags, ...)                         \
    {                                                                  \
        va_list rest;                                                  \
        va_start(rest, flags);                                         \
        int mode = va_arg(rest, int);                                  \
        va_end(rest);                                                  \
        if (!strcmp(path, "/dev/gpiochip0")) return open_chip();       \
        int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, #name); \
        return real(path, flags, mode);                                \
    }
OPEN(open)
OPEN(open64)

static int request(struct gpio_v2_line_request *req)
{
    unsigned long long values = 0;
    int out = (req->config.flags & GPIO_V2_LINE_FLAG_OUTPUT) != 0;
    for (unsigned i = 0; i < req->config.num_attrs; i++)
        if (req->config.attrs[i].attr.id == GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES)
            values = req->config.attrs[i].attr.values;
    req->fd = eventfd(0, 0);
    count_of[req->fd] = req->num_lines;
    for (unsigned i = 0; i < req->num_lines; i++) {
        int gpio = lines_of[req->fd][i] = req->offsets[i];
        is_out[gpio] = out;
        if (out) set_level(gpio, values >> i & 1);
    }
    return 0;
}

/* An output is what it was driven to; an input is what the file says, where others may write. */
static int level_of(int gpio)
{
    unsigned char level = now_at[gpio];
    if (!is_out[gpio] && pread(levels, &level, 1, gpio) < 0) abort();
    return level;
}

static int values(int fd, int set, struct gpio_v2_line_values *wanted)
{
    for (int i = 0; i < count_of[fd]; i++) {
        int gpio = lines_of[fd][i];
        if (!(wanted->mask >> i & 1)) continue;
        if (set) set_level(gpio, wanted->bits >> i & 1);
        else if (level_of(gpio)) wanted->bits |= 1ULL << i;
        else wanted->bits &= ~(1ULL << i);
    }
    return 0;
}

int ioctl(int fd, unsigned long op, ...)
{
    va_list rest;
    va_start(rest, op);
    void *arg = va_arg(rest, void *);
    va_end(rest);
    switch (op & 0xffffffff) {
    case GPIO_GET_CHIPINFO_IOCTL: {
        struct gpiochip_info *info = arg;
        memset(info, 0, sizeof *info);
        strcpy(info->label, "pinctrl-bcm2711");
        info->lines = LINES;
        return 0;
    }
    case GPIO_V2_GET_LINEINFO_IOCTL: {
        struct gpio_v2_line_info *info = arg;
        info->flags = is_out[info->offset] ? GPIO_V2_LINE_FLAG_OUTPUT : GPIO_V2_LINE_FLAG_INPUT;
        return 0;
    }
    case GPIO_V2_GET_LINE_IOCTL: return request(arg);
    case GPIO_V2_LINE_SET_VALUES_IOCTL: return values(fd, 1, arg);
    case GPIO_V2_LINE_GET_VALUES_IOCTL: return values(fd, 0, arg);
    }
    int (*real)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
    return real(fd, op, arg);
}
