/* What every interposed call needs: the settings, the lock shared by the process tree, the trace.
 *
 * Real calls are raw system calls, so there is no symbol to look up and no order of start to
 * respect. All state that must outlive a process is in one mapped file, SK_COUNTER. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#if !defined(__linux__) || !defined(__LP64__)
#error "the shim is written for 64-bit Linux"
#endif

enum { /* one bit for each kind of call; the driver uses the names below */
  C_WRITE = 1, C_PWRITE = 2, C_FSYNC = 4, C_FDATASYNC = 8, C_OPENR = 16, C_OPENW = 32,
  C_RENAME = 64, C_MMAP = 128, C_TRUNCATE = 256, C_UNLINK = 512, C_MKDIR = 1024, C_RMDIR = 2048,
  C_LINK = 4096, C_CLOSE = 8192, C_LOCK = 16384,
};
enum { /* trace records; the same numbers stand in trace_file.py */
  T_CREATE = 1, T_WRITE, T_TRUNCATE, T_SYNC, T_SYNC_FAILED, T_SYNC_DIR, T_SYNC_ALL, T_RENAME,
  T_LINK, T_UNLINK, T_MKDIR, T_RMDIR, T_SYMLINK, T_MARK,
};
enum { BEFORE, AFTER, TORN };
enum { SHORT = -1 };

static const struct { const char *name; unsigned mask; } CALLS[] = {
  {"write", C_WRITE}, {"pwrite", C_PWRITE}, {"anywrite", C_WRITE | C_PWRITE},
  {"fsync", C_FSYNC}, {"fdatasync", C_FDATASYNC}, {"anysync", C_FSYNC | C_FDATASYNC},
  {"open", C_OPENR | C_OPENW}, {"openw", C_OPENW}, {"rename", C_RENAME}, {"mmap", C_MMAP},
  {"ftruncate", C_TRUNCATE}, {"unlink", C_UNLINK}, {"mkdir", C_MKDIR}, {"rmdir", C_RMDIR},
  {"link", C_LINK}, {"close", C_CLOSE}, {"lock", C_LOCK},
  {"any", (C_CLOSE - 1) & ~(unsigned)(C_OPENR | C_MMAP)},
};
static const struct { const char *name; int value; } ERRORS[] = {
  {"EIO", EIO}, {"ENOSPC", ENOSPC}, {"EDQUOT", EDQUOT}, {"EMFILE", EMFILE}, {"EROFS", EROFS},
  {"EINTR", EINTR}, {"EACCES", EACCES}, {"ENOMEM", ENOMEM}, {"ENOLCK", ENOLCK},
  {"ENOSYS", ENOSYS}, {"EOPNOTSUPP", EOPNOTSUPP}, {"short", SHORT},
};

struct shared { _Atomic int ready; _Atomic long faults, kills; pthread_mutex_t lock; };
struct turn { int locked, half, die_after; };

static struct shared *shared;
static char prefix[PATH_MAX];
static size_t prefix_length;
static const char *trace_path, *fired_path;
static unsigned mark_fds; /* bit n: what is written to descriptor n is an acknowledgement */
static struct { unsigned mask; long k; int error, sticky; } fault;
static struct { unsigned mask; long k; int moment; } death;
static struct { int on, freeze; long offset, after; } shift;

static void refuse(const char *why) { /* a setting that is silently ignored proves nothing */
  dprintf(2, "reliability shim: %s\n", why);
  syscall(SYS_exit_group, 97);
}

static unsigned call_mask(const char *name) {
  for (size_t i = 0; i < sizeof CALLS / sizeof *CALLS; i++)
    if (name && !strcmp(CALLS[i].name, name)) return CALLS[i].mask;
  refuse("unknown call");
  return 0;
}

static void read_settings(void) {
  char text[256], *rest, *part;
  const char *value = getenv("SK_PREFIX");
  if (value && !realpath(value, prefix)) refuse("SK_PREFIX does not exist");
  if (value) prefix_length = strlen(prefix);
  trace_path = getenv("SK_TRACE");
  fired_path = getenv("SK_FIRED");
  if ((value = getenv("SK_MARK")))
    for (; *value; value++)
      if (*value >= '0' && *value <= '9') mark_fds |= 1u << (*value - '0');
  if ((value = getenv("SK_FAULT"))) {
    snprintf(text, sizeof text, "%s", value);
    fault.mask = call_mask(strtok_r(text, ":", &rest));
    fault.k = (part = strtok_r(NULL, ":", &rest)) ? atol(part) : 0;
    part = strtok_r(NULL, ":", &rest);
    for (size_t i = 0; i < sizeof ERRORS / sizeof *ERRORS; i++)
      if (part && !strcmp(ERRORS[i].name, part)) fault.error = ERRORS[i].value;
    fault.sticky = (part = strtok_r(NULL, ":", &rest)) && !strcmp(part, "sticky");
    if (fault.k < 1 || !fault.error) refuse("SK_FAULT is call:k:errno[:sticky]");
  }
  if ((value = getenv("SK_KILL"))) {
    snprintf(text, sizeof text, "%s", value);
    death.mask = call_mask(strtok_r(text, ":", &rest));
    death.k = (part = strtok_r(NULL, ":", &rest)) ? atol(part) : 0;
    if ((part = strtok_r(NULL, ":", &rest)))
      death.moment = !strcmp(part, "torn") ? TORN : !strcmp(part, "after") ? AFTER : BEFORE;
    if (death.k < 1) refuse("SK_KILL is call:k[:before|after|torn]");
  }
  if ((value = getenv("SK_CLOCK"))) {
    const char *colon = strchr(value, ':');
    shift.on = 1;
    shift.freeze = !strncmp(value, "freeze", 6);
    shift.offset = atol(value);
    shift.after = colon ? atol(colon + 1) : 0;
  }
}

/* The mutex is robust: the kernel hands it on when its holder is killed. */
static void map_shared(void) {
  const char *path = getenv("SK_COUNTER");
  int fd = -1, fresh = 0;
  if (path) {
    fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || syscall(SYS_ftruncate, fd, 4096)) refuse("SK_COUNTER cannot be opened");
  }
  shared = (struct shared *)syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE,
                                    MAP_SHARED | (fd < 0 ? MAP_ANONYMOUS : 0), fd, 0);
  if (shared == MAP_FAILED) refuse("SK_COUNTER cannot be mapped");
  if (fd >= 0) syscall(SYS_close, fd);
  if (atomic_compare_exchange_strong(&shared->ready, &fresh, 1)) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&shared->lock, &kind);
    atomic_store(&shared->ready, 2);
  }
  while (atomic_load(&shared->ready) != 2) usleep(100);
}

__attribute__((constructor)) static void load(void) {
  read_settings();
  if (prefix_length) map_shared();
}

static int under(const char *path) {
  return prefix_length && !strncmp(path, prefix, prefix_length) &&
         (path[prefix_length] == '/' || path[prefix_length] == '\0' || path[prefix_length] == ' ');
}

static int is_ack(const char *path) {
  size_t n = strlen(path);
  return n > 4 && !strcmp(path + n - 4, ".ack");
}

static int path_of_fd(int fd, char *out) {
  char link[64];
  int keep = errno;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = syscall(SYS_readlinkat, AT_FDCWD, link, out, PATH_MAX - 1);
  out[n < 0 ? 0 : n] = '\0';
  errno = keep;
  return n > 0;
}

/* The absolute name of an entry: the folder without links, the last part as it was given. */
static int resolve(int dirfd, const char *path, char *out) {
  char joined[2 * PATH_MAX], folder[PATH_MAX];
  int keep = errno, n = 0;
  if (!path || !*path || strlen(path) >= PATH_MAX) return 0;
  if (*path != '/') {
    if (dirfd == AT_FDCWD ? !getcwd(joined, PATH_MAX) : !path_of_fd(dirfd, joined)) goto no;
    n = (int)strlen(joined);
  }
  snprintf(joined + n, sizeof joined - (size_t)n, "/%s", path);
  for (char *end = joined + strlen(joined) - 1; end > joined && *end == '/'; end--) *end = '\0';
  char *last = strrchr(joined, '/') + 1;
  if (!strcmp(last, ".") || !strcmp(last, "..")) {
    if (!realpath(joined, out)) goto no;
  } else {
    char name[NAME_MAX + 2];
    if (strlen(last) > NAME_MAX) goto no;
    snprintf(name, sizeof name, "%s", last);
    *last = '\0';
    if (!realpath(joined, folder)) goto no;
    if (snprintf(out, PATH_MAX, "%s/%s", strcmp(folder, "/") ? folder : "", name) >= PATH_MAX)
      goto no;
  }
  errno = keep;
  return 1;
no:
  errno = keep;
  return 0;
}

static void append_to(const char *path, const struct iovec *parts, int n) {
  int keep = errno; /* opened each time: programs close descriptors that they do not know */
  int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0 || syscall(SYS_writev, fd, parts, n) < 0) refuse("a report cannot be written");
  syscall(SYS_close, fd);
  errno = keep;
}

/* Called with the lock held, so the order in the file is the order of the effects. */
static void record(uint32_t kind, const char *path, const char *other, int64_t at, uint64_t inode,
                   const void *data, size_t size) {
  struct { uint32_t kind, pid; int64_t at; uint64_t inode; uint32_t path, other, data, spare; } head;
  if (!trace_path) return;
  memset(&head, 0, sizeof head);
  head.kind = kind, head.pid = (uint32_t)getpid(), head.at = at, head.inode = inode;
  head.path = (uint32_t)strlen(path), head.other = (uint32_t)strlen(other);
  head.data = (uint32_t)size;
  struct iovec parts[] = {{&head, sizeof head}, {(void *)path, head.path},
                          {(void *)other, head.other}, {(void *)data, size}};
  append_to(trace_path, parts, 4);
}

static void lock(struct turn *turn) {
  int result = pthread_mutex_lock(&shared->lock);
  if (result == EOWNERDEAD) pthread_mutex_consistent(&shared->lock);
  turn->locked = result == 0 || result == EOWNERDEAD;
}

static void fired(char what) {
  struct iovec part = {&what, 1};
  if (fired_path) append_to(fired_path, &part, 1);
}

static void die(void) {
  fired('K');
  syscall(SYS_kill, getpid(), SIGKILL);
  for (;;) pause();
}

static void leave(struct turn *turn) {
  if (turn->die_after) die();
  if (turn->locked) pthread_mutex_unlock(&shared->lock);
}

/* Take the turn for one call. -1: the call must fail, errno is set, and the caller leaves. */
static int enter(struct turn *turn, unsigned call, size_t bytes) {
  memset(turn, 0, sizeof *turn);
  lock(turn);
  int is_write = call & (C_WRITE | C_PWRITE);
  if (death.mask & call && atomic_fetch_add(&shared->kills, 1) + 1 == death.k) {
    if (death.moment == BEFORE || (death.moment == TORN && !is_write)) die();
    turn->die_after = 1;
    turn->half = death.moment == TORN;
  }
  if (!(fault.mask & call) || (fault.error == SHORT && (!is_write || bytes < 2))) return 0;
  long n = atomic_fetch_add(&shared->faults, 1) + 1;
  if (n != fault.k && !(fault.sticky && n > fault.k)) return 0;
  fired('F');
  if (fault.error == SHORT) {
    turn->half = 1;
    return 0;
  }
  errno = fault.error;
  return -1;
}
