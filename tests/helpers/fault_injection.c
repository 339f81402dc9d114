// A library to preload: file operations below one folder are counted, and one of them fails or kills the process.
//
// The operations are those that change the disk: opening a file to write, write, truncate, flush, rename, remove, chmod
// and mkdir, called by Python, by SQLite or by the compiled core alike.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum Kind {
    NO_SPACE,
    IO_ERROR,
    FULL_DISK,
    SHORT_WRITE,
    HALF_THEN_ERROR,
    KILL_BEFORE,
    KILL_AFTER,
    KILL_HALFWAY,
    POWER_CUT
};
enum { MAX_FILES = 1024 };

static char folder[4096];
static int fail_at;
static enum Kind kind;
static int count;
static bool has_failed;
static bool is_watched[MAX_FILES];

// Begins to count the operations below a folder; number ``at`` fails, from 1; 0 fails none.
void faults_arm(const char* path, int at, int with) {
    strncpy(folder, path, sizeof folder - 1);
    fail_at = at;
    kind = (enum Kind)with;
    count = 0;
    has_failed = false;
}

void faults_disarm(void) { folder[0] = 0; }

int faults_happened(void) { return has_failed; }

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

// A change that has not been flushed, and what was there before: a power cut takes it back.
struct Change {
    struct Change* before;
    dev_t device;
    ino_t inode;
    int file;
    off_t at;
    off_t old_file_size;
    ssize_t size;
    char data[];
};

static struct Change* unflushed;

static bool is_of(const struct Change* change, const struct stat* info) {
    return change->device == info->st_dev && change->inode == info->st_ino;
}

// Opens a watched file once more, to stay open when it is closed or renamed; one such file serves all its changes.
static int open_copy(int file, const struct stat* info) {
    for (struct Change* change = unflushed; change != NULL; change = change->before)
        if (is_of(change, info)) return change->file;
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    int copy = REAL(open)(name, O_RDWR | O_CLOEXEC);
    if (copy < 0) abort();
    return copy;
}

// Remembers the bytes that a change of a file is about to replace or cut off.
static void remember(int file, off_t at, size_t size) {
    struct stat info;
    if (fstat(file, &info) != 0) abort();
    int copy = open_copy(file, &info);
    struct Change* change = malloc(sizeof *change + size);
    change->size = pread(copy, change->data, size, at);
    if (change->size < 0) abort();
    change->device = info.st_dev;
    change->inode = info.st_ino;
    change->file = copy;
    change->at = at;
    change->old_file_size = info.st_size;
    change->before = unflushed;
    unflushed = change;
}

static off_t place_of_next_write(int file) {
    bool appends = (fcntl(file, F_GETFL) & O_APPEND) != 0;
    struct stat info;
    return appends && fstat(file, &info) == 0 ? info.st_size : lseek(file, 0, SEEK_CUR);
}

static void remember_cut(int file, off_t size) {
    struct stat info;
    if (kind == POWER_CUT && fstat(file, &info) == 0)
        remember(file, size, info.st_size > size ? (size_t)(info.st_size - size) : 0);
}

static void forget_flushed(int file) {
    struct stat info;
    if (kind != POWER_CUT || fstat(file, &info) != 0) return;
    int copy = -1;
    for (struct Change** link = &unflushed; *link != NULL;) {
        struct Change* change = *link;
        if (is_of(change, &info)) {
            copy = change->file;
            *link = change->before;
            free(change);
        } else {
            link = &change->before;
        }
    }
    if (copy >= 0) REAL(close)(copy);
}

static void die(void) {
    for (struct Change* change = unflushed; change != NULL; change = change->before) {
        if (REAL(pwrite)(change->file, change->data, (size_t)change->size, change->at) != change->size) abort();
        if (REAL(ftruncate)(change->file, change->old_file_size) != 0) abort();
    }
    raise(SIGKILL);
}

static bool is_below(const char* path) {
    return folder[0] != 0 && path != NULL && strncmp(path, folder, strlen(folder)) == 0;
}

static bool is_watched_file(int file) { return folder[0] != 0 && file >= 0 && file < MAX_FILES && is_watched[file]; }

// Counts an operation; true if it is to fail, with errno set. A process that is to die before it dies here.
static bool fails(bool takes_space) {
    ++count;
    if (kind == FULL_DISK && fail_at != 0 && count >= fail_at && takes_space) {
        has_failed = true;
        errno = ENOSPC;
        return true;
    }
    if (count != fail_at || kind == FULL_DISK) return false;
    has_failed = true;
    if (kind == KILL_BEFORE || kind == POWER_CUT) die();
    errno = kind == NO_SPACE ? ENOSPC : EIO;
    return kind == NO_SPACE || kind == IO_ERROR;
}

// The work is done: counts as one more operation, before which the power may be cut.
void faults_end(void) {
    if (kind == POWER_CUT) fails(false);
}

// Kills the process if the operation just done is the one after which it is to die.
static void after(void) {
    if (count == fail_at && (kind == KILL_AFTER || kind == KILL_HALFWAY)) die();
}

static int watch(int file, const char* path) {
    if (file >= 0 && file < MAX_FILES) is_watched[file] = is_below(path);
    return file;
}

static bool changes(int flags) { return (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) != 0; }

#define DEFINE_OPEN(name)                                                              \
    int name(const char* path, int flags, ...) {                                       \
        va_list arguments;                                                             \
        va_start(arguments, flags);                                                    \
        mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(arguments, mode_t) : 0; \
        va_end(arguments);                                                             \
        bool counts = changes(flags) && is_below(path);                                \
        if (counts && fails(true)) return -1;                                          \
        int file = watch(REAL(name)(path, flags, mode), path);                         \
        if (counts) after();                                                           \
        return file;                                                                   \
    }

DEFINE_OPEN(open)
DEFINE_OPEN(open64)

#define DEFINE_OPENAT(name)                                                            \
    int name(int at, const char* path, int flags, ...) {                               \
        va_list arguments;                                                             \
        va_start(arguments, flags);                                                    \
        mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(arguments, mode_t) : 0; \
        va_end(arguments);                                                             \
        bool counts = changes(flags) && is_below(path);                                \
        if (counts && fails(true)) return -1;                                          \
        int file = watch(REAL(name)(at, path, flags, mode), path);                     \
        if (counts) after();                                                           \
        return file;                                                                   \
    }

DEFINE_OPENAT(openat)
DEFINE_OPENAT(openat64)

int close(int file) {
    if (file >= 0 && file < MAX_FILES) is_watched[file] = false;
    return REAL(close)(file);
}

static size_t half(size_t size) { return size > 1 ? size / 2 : size; }

#define DEFINE_WRITE(name, place, PARAMETERS, ARGUMENTS, HALF_ARGUMENTS)                                    \
    ssize_t name PARAMETERS {                                                                               \
        if (!is_watched_file(file)) return REAL(name) ARGUMENTS;                                            \
        if (fails(true)) return -1;                                                                         \
        if (count == fail_at && (kind == SHORT_WRITE || kind == HALF_THEN_ERROR || kind == KILL_HALFWAY)) { \
            ssize_t written = REAL(name) HALF_ARGUMENTS;                                                    \
            if (kind == HALF_THEN_ERROR) kind = NO_SPACE, fail_at = count + 1;                              \
            after();                                                                                        \
            return written;                                                                                 \
        }                                                                                                   \
        if (kind == POWER_CUT) remember(file, place, size);                                                 \
        ssize_t written = REAL(name) ARGUMENTS;                                                             \
        after();                                                                                            \
        return written;                                                                                     \
    }

DEFINE_WRITE(write, place_of_next_write(file), (int file, const void* data, size_t size), (file, data, size),
             (file, data, half(size)))
DEFINE_WRITE(pwrite, at, (int file, const void* data, size_t size, off_t at), (file, data, size, at),
             (file, data, half(size), at))
DEFINE_WRITE(pwrite64, at, (int file, const void* data, size_t size, off64_t at), (file, data, size, at),
             (file, data, half(size), at))

#define DEFINE_FLUSH(name)                                   \
    int name(int file) {                                     \
        if (!is_watched_file(file)) return REAL(name)(file); \
        if (fails(true)) return -1;                          \
        int result = REAL(name)(file);                       \
        forget_flushed(file);                                \
        after();                                             \
        return result;                                       \
    }

DEFINE_FLUSH(fsync)
DEFINE_FLUSH(fdatasync)

#define DEFINE_TRUNCATE(name, type)                                \
    int name(int file, type size) {                                \
        if (!is_watched_file(file)) return REAL(name)(file, size); \
        if (fails(false)) return -1;                               \
        remember_cut(file, size);                                  \
        int result = REAL(name)(file, size);                       \
        after();                                                   \
        return result;                                             \
    }

DEFINE_TRUNCATE(ftruncate, off_t)
DEFINE_TRUNCATE(ftruncate64, off64_t)

#define DEFINE_ON_PATH(name, takes_space, PARAMETERS, ARGUMENTS) \
    int name PARAMETERS {                                        \
        if (!is_below(path)) return REAL(name) ARGUMENTS;        \
        if (fails(takes_space)) return -1;                       \
        int result = REAL(name) ARGUMENTS;                       \
        after();                                                 \
        return result;                                           \
    }

DEFINE_ON_PATH(rename, true, (const char* path, const char* to), (path, to))
DEFINE_ON_PATH(renameat, true, (int from, const char* path, int at, const char* to), (from, path, at, to))
DEFINE_ON_PATH(unlink, false, (const char* path), (path))
DEFINE_ON_PATH(unlinkat, false, (int at, const char* path, int flags), (at, path, flags))
DEFINE_ON_PATH(chmod, false, (const char* path, mode_t mode), (path, mode))
DEFINE_ON_PATH(fchmodat, false, (int at, const char* path, mode_t mode, int flags), (at, path, mode, flags))
DEFINE_ON_PATH(mkdir, true, (const char* path, mode_t mode), (path, mode))
