/* The interposed calls. Built with: cc -shared -fPIC -O2 -o shim.so shim.c
 *
 * Each asks whether its path is under SK_PREFIX, takes its turn (which may fail or kill it), makes
 * the real call, and records what changed while still holding the lock. */
#include "shim_state.h"

#define API __attribute__((visibility("default")))
#define ALIAS(name, of) API __typeof__(of) name __attribute__((alias(#of)))

static int regular_under_prefix(int fd, char *path, struct stat *st) {
  return prefix_length && path_of_fd(fd, path) && under(path) && !is_ack(path) && !fstat(fd, st) &&
         S_ISREG(st->st_mode);
}

/* ---- writes: `at` < 0 means the file position -------------------------------------------- */

static ssize_t real_write(int fd, const void *data, size_t n, off_t at) {
  return at < 0 ? syscall(SYS_write, fd, data, n) : syscall(SYS_pwrite64, fd, data, n, at);
}

static void note_mark(int fd, const void *data, size_t n) {
  char path[PATH_MAX];
  struct turn turn = {0, 0, 0};
  if (!prefix_length || !trace_path) return;
  if (!(fd >= 0 && fd < 10 && mark_fds & 1u << fd) && !(path_of_fd(fd, path) && is_ack(path))) return;
  lock(&turn); /* recorded first and written outside the lock: a full pipe may block */
  record(T_MARK, "", "", 0, 0, data, n);
  leave(&turn);
}

static ssize_t watched_write(int fd, const void *data, size_t n, off_t at) {
  char path[PATH_MAX];
  struct stat st;
  struct turn turn;
  note_mark(fd, data, n);
  if (!regular_under_prefix(fd, path, &st)) return real_write(fd, data, n, at);
  ssize_t done = -1;
  if (!enter(&turn, at < 0 ? C_WRITE : C_PWRITE, n)) {
    done = real_write(fd, data, turn.half ? n / 2 : n, at);
    if (done > 0) {
      int flags = (int)syscall(SYS_fcntl, fd, F_GETFL);
      off_t start = at < 0 ? syscall(SYS_lseek, fd, 0, SEEK_CUR) - done : at;
      if (at >= 0 && flags & O_APPEND && !fstat(fd, &st)) start = st.st_size - done;
      record(T_WRITE, path, "", start, st.st_ino, data, (size_t)done);
      if (flags & O_DSYNC) record(T_SYNC, path, "", 0, st.st_ino, "", 0);
    }
  }
  leave(&turn);
  return done;
}

static ssize_t watched_writev(int fd, const struct iovec *parts, int count, off_t at) {
  size_t n = 0, used = 0;
  for (int i = 0; i < count; i++) n += parts[i].iov_len;
  char *flat = malloc(n ? n : 1);
  if (!flat) return errno = ENOMEM, -1;
  for (int i = 0; i < count; used += parts[i++].iov_len)
    memcpy(flat + used, parts[i].iov_base, parts[i].iov_len);
  ssize_t done = watched_write(fd, flat, n, at);
  int keep = errno;
  free(flat);
  errno = keep;
  return done;
}

API ssize_t write(int fd, const void *data, size_t n) { return watched_write(fd, data, n, -1); }
API ssize_t writev(int fd, const struct iovec *v, int n) { return watched_writev(fd, v, n, -1); }
API ssize_t pwrite64(int fd, const void *data, size_t n, off64_t at) {
  return at < 0 ? (errno = EINVAL, -1) : watched_write(fd, data, n, at);
}
API ssize_t pwritev64(int fd, const struct iovec *v, int n, off64_t at) {
  return at < 0 ? (errno = EINVAL, -1) : watched_writev(fd, v, n, at);
}
ALIAS(pwrite, pwrite64);
ALIAS(pwritev, pwritev64);

/* Copies inside the kernel hide their data. Refused, callers fall back to write. */
API ssize_t sendfile64(int out, int in, off64_t *at, size_t n) {
  char path[PATH_MAX];
  if (prefix_length && path_of_fd(out, path) && under(path)) return errno = EINVAL, -1;
  return syscall(SYS_sendfile, out, in, at, n);
}
ALIAS(sendfile, sendfile64);
API ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t n, unsigned flags) {
  char path[PATH_MAX];
  if (prefix_length && path_of_fd(out, path) && under(path)) return errno = ENOSYS, -1;
  return syscall(SYS_copy_file_range, in, from, out, to, n, flags);
}

/* ---- open and close ------------------------------------------------------------------------ */

static int watched_open(int dirfd, const char *path, int flags, mode_t mode) {
  char where[PATH_MAX];
  struct stat st;
  struct turn turn;
  int keep = errno, writing = (flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC);
  if (!prefix_length || !resolve(dirfd, path, where) || !under(where) || is_ack(where))
    return (int)syscall(SYS_openat, dirfd, path, flags, mode);
  if ((flags & O_TMPFILE) == O_TMPFILE) return errno = EOPNOTSUPP, -1; /* nameless: callers fall back */
  int is_file = fstatat(dirfd, path, &st, 0) || S_ISREG(st.st_mode);
  errno = keep;
  if (!is_file) writing = 0; /* a FIFO may block for ever: never under the lock */
  if (!writing && !((fault.mask | death.mask) & C_OPENR))
    return (int)syscall(SYS_openat, dirfd, path, flags, mode);
  int fd = -1;
  if (!enter(&turn, writing ? C_OPENW : C_OPENR, 0)) {
    int existed = !fstatat(dirfd, path, &st, 0);
    errno = keep;
    off_t size = existed ? st.st_size : 0;
    fd = (int)syscall(SYS_openat, dirfd, path, flags, mode);
    if (fd >= 0 && writing && path_of_fd(fd, where) && under(where) && !fstat(fd, &st)) {
      if (!existed) record(T_CREATE, where, "", flags, st.st_ino, "", 0);
      else if (flags & O_TRUNC && size) record(T_TRUNCATE, where, "", 0, st.st_ino, "", 0);
    }
  }
  leave(&turn);
  return fd;
}

#define MODE_OF(flags, mode)                                \
  mode_t mode = 0;                                          \
  if ((flags) & O_CREAT || ((flags) & O_TMPFILE) == O_TMPFILE) { \
    va_list rest;                                           \
    va_start(rest, flags);                                  \
    mode = va_arg(rest, mode_t);                            \
    va_end(rest);                                           \
  }
API int open64(const char *path, int flags, ...) {
  MODE_OF(flags, mode);
  return watched_open(AT_FDCWD, path, flags, mode);
}
API int openat64(int dirfd, const char *path, int flags, ...) {
  MODE_OF(flags, mode);
  return watched_open(dirfd, path, flags, mode);
}
API int creat64(const char *path, mode_t mode) {
  return watched_open(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
API int __open64_2(const char *path, int flags) { return watched_open(AT_FDCWD, path, flags, 0); }
API int __openat64_2(int d, const char *path, int flags) { return watched_open(d, path, flags, 0); }
ALIAS(open, open64);
ALIAS(openat, openat64);
ALIAS(creat, creat64);
ALIAS(__open_2, __open64_2);
ALIAS(__openat_2, __openat64_2);

API int close(int fd) {
  char path[PATH_MAX];
  struct turn turn;
  int keep = errno;
  if (!((fault.mask | death.mask) & C_CLOSE) || !prefix_length || !path_of_fd(fd, path) || !under(path))
    return (int)syscall(SYS_close, fd);
  int failed = enter(&turn, C_CLOSE, 0), error = errno;
  int result = (int)syscall(SYS_close, fd); /* on Linux a failed close has closed all the same */
  if (failed) result = -1, errno = error;
  else if (!result) errno = keep;
  leave(&turn);
  return result;
}

/* ---- sync, size, map ------------------------------------------------------------------------ */

static int watched_sync(int fd, unsigned call, long number) {
  char path[PATH_MAX];
  struct stat st;
  struct turn turn;
  if (!prefix_length || !path_of_fd(fd, path) || !under(path) || fstat(fd, &st))
    return (int)syscall(number, fd);
  int result = enter(&turn, call, 0) ? -1 : (int)syscall(number, fd);
  uint32_t kind = S_ISDIR(st.st_mode) ? T_SYNC_DIR : T_SYNC;
  if (!result) record(kind, path, "", 0, st.st_ino, "", 0);
  /* After a failed write-back the kernel forgets the pages: a second fsync proves nothing. */
  else if (errno != EINTR && kind == T_SYNC) record(T_SYNC_FAILED, path, "", 0, st.st_ino, "", 0);
  leave(&turn);
  return result;
}

API int fsync(int fd) { return watched_sync(fd, C_FSYNC, SYS_fsync); }
API int fdatasync(int fd) { return watched_sync(fd, C_FDATASYNC, SYS_fdatasync); }
API void sync(void) {
  struct turn turn = {0, 0, 0};
  if (prefix_length) lock(&turn);
  syscall(SYS_sync);
  if (prefix_length) record(T_SYNC_ALL, "", "", 0, 0, "", 0), leave(&turn);
}
API int syncfs(int fd) {
  struct turn turn = {0, 0, 0};
  if (prefix_length) lock(&turn);
  int result = (int)syscall(SYS_syncfs, fd);
  if (prefix_length && !result) record(T_SYNC_ALL, "", "", 0, 0, "", 0);
  if (prefix_length) leave(&turn);
  return result;
}

API int ftruncate64(int fd, off64_t size) {
  char path[PATH_MAX];
  struct stat st;
  struct turn turn;
  if (!regular_under_prefix(fd, path, &st)) return (int)syscall(SYS_ftruncate, fd, size);
  int result = enter(&turn, C_TRUNCATE, 0) ? -1 : (int)syscall(SYS_ftruncate, fd, size);
  if (!result) record(T_TRUNCATE, path, "", size, st.st_ino, "", 0);
  leave(&turn);
  return result;
}
API int truncate64(const char *path, off64_t size) {
  int fd = open64(path, O_WRONLY | O_CLOEXEC), result = fd < 0 ? -1 : ftruncate64(fd, size);
  int keep = errno;
  if (fd >= 0) syscall(SYS_close, fd);
  errno = keep;
  return result;
}
API int fallocate64(int fd, int mode, off64_t at, off64_t n) {
  char path[PATH_MAX];
  struct stat st;
  if (regular_under_prefix(fd, path, &st)) return errno = EOPNOTSUPP, -1; /* callers fall back */
  return (int)syscall(SYS_fallocate, fd, mode, at, n);
}
API int posix_fallocate64(int fd, off64_t at, off64_t n) {
  int keep = errno, result = fallocate64(fd, 0, at, n) ? errno : 0;
  errno = keep;
  return result;
}
ALIAS(ftruncate, ftruncate64);
ALIAS(truncate, truncate64);
ALIAS(fallocate, fallocate64);
ALIAS(posix_fallocate, posix_fallocate64);

API void *mmap64(void *where, size_t n, int prot, int flags, int fd, off64_t at) {
  char path[PATH_MAX];
  struct turn turn;
  void *result = MAP_FAILED;
  if (fd < 0 || !((fault.mask | death.mask) & C_MMAP) || !path_of_fd(fd, path) || !under(path))
    return (void *)syscall(SYS_mmap, where, n, prot, flags, fd, at);
  if (!enter(&turn, C_MMAP, 0)) result = (void *)syscall(SYS_mmap, where, n, prot, flags, fd, at);
  leave(&turn);
  return result;
}
ALIAS(mmap, mmap64);

/* ---- locks: whole files by flock, ranges by fcntl; giving one back never fails ------------------ */

static int lock_fails(int fd) {
  char path[PATH_MAX];
  struct turn turn;
  if (!(fault.mask & C_LOCK) || !path_of_fd(fd, path) || !under(path)) return 0;
  int failed = enter(&turn, C_LOCK, 0), error = errno;
  leave(&turn);
  errno = error;
  return failed;
}

API int flock(int fd, int how) {
  if (!(how & LOCK_UN) && lock_fails(fd)) return -1;
  return (int)syscall(SYS_flock, fd, how);
}
API int fcntl64(int fd, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  int sets = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK ||
             command == F_OFD_SETLKW;
  if (sets && ((struct flock *)argument)->l_type != F_UNLCK && lock_fails(fd)) return -1;
  return (int)syscall(SYS_fcntl, fd, command, argument);
}
ALIAS(fcntl, fcntl64);

/* ---- names ----------------------------------------------------------------------------------- */

API int renameat2(int d1, const char *from, int d2, const char *to, unsigned flags) {
  char a[PATH_MAX], b[PATH_MAX];
  struct turn turn;
  int watched = prefix_length && resolve(d1, from, a) && resolve(d2, to, b) && (under(a) || under(b));
  if (!watched) return (int)syscall(SYS_renameat2, d1, from, d2, to, flags);
  if (flags & ~1u) return errno = EINVAL, -1; /* exchange: no replay for it, and few file systems */
  int result = enter(&turn, C_RENAME, 0) ? -1 : (int)syscall(SYS_renameat2, d1, from, d2, to, flags);
  if (!result) record(T_RENAME, a, b, 0, 0, "", 0);
  leave(&turn);
  return result;
}
API int renameat(int d1, const char *a, int d2, const char *b) { return renameat2(d1, a, d2, b, 0); }
API int rename(const char *a, const char *b) { return renameat2(AT_FDCWD, a, AT_FDCWD, b, 0); }

/* Every other call that adds or removes one name; `source` is a link's target. */
static int watched_name(unsigned call, uint32_t kind, int d, const char *path, long number, long a,
                        int source_fd, const char *source) {
  char where[PATH_MAX], from[PATH_MAX] = "";
  struct turn turn = {0, 0, 0};
  int watched = prefix_length && resolve(d, path, where) && under(where), result = -1;
  if (watched && kind == T_LINK && !resolve(source_fd, source, from)) watched = 0;
  if (watched && kind == T_SYMLINK) snprintf(from, sizeof from, "%s", source);
  if (!watched || !enter(&turn, call, 0)) {
    if (kind == T_LINK) result = (int)syscall(number, source_fd, source, d, path, a);
    else if (kind == T_SYMLINK) result = (int)syscall(number, source, d, path);
    else result = (int)syscall(number, d, path, a);
    if (!result && watched && !is_ack(where)) record(kind, where, from, 0, 0, "", 0);
  }
  if (watched) leave(&turn);
  return result;
}

API int unlinkat(int d, const char *path, int flags) {
  int folder = flags & AT_REMOVEDIR;
  return watched_name(folder ? C_RMDIR : C_UNLINK, folder ? T_RMDIR : T_UNLINK, d, path, SYS_unlinkat,
                      flags, 0, NULL);
}
API int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
API int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
API int remove(const char *path) {
  int keep = errno, result = unlink(path);
  if (result && (errno == EISDIR || errno == EPERM)) errno = keep, result = rmdir(path);
  return result;
}
API int mkdirat(int d, const char *path, mode_t mode) {
  return watched_name(C_MKDIR, T_MKDIR, d, path, SYS_mkdirat, mode, 0, NULL);
}
API int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }
API int linkat(int d1, const char *from, int d2, const char *to, int flags) {
  return watched_name(C_LINK, T_LINK, d2, to, SYS_linkat, flags, d1, from);
}
API int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }
API int symlinkat(const char *target, int d, const char *path) {
  return watched_name(C_LINK, T_SYMLINK, d, path, SYS_symlinkat, 0, 0, target);
}
API int symlink(const char *target, const char *path) { return symlinkat(target, AT_FDCWD, path); }

/* ---- the clock: only the wall clock moves, as when a person or NTP sets it --------------------- */

API int clock_gettime(clockid_t id, struct timespec *out) {
  static _Atomic long calls;
  static struct timespec frozen;
  int result = (int)syscall(SYS_clock_gettime, id, out);
  if (!shift.on || result || (id != CLOCK_REALTIME && id != CLOCK_REALTIME_COARSE)) return result;
  long n = atomic_fetch_add(&calls, 1);
  if (n < shift.after) return 0;
  if (!shift.freeze) out->tv_sec += shift.offset;
  else if (n == shift.after || !frozen.tv_sec) frozen = *out;
  else *out = frozen;
  return 0;
}
API int gettimeofday(struct timeval *restrict out, void *restrict zone) {
  struct timespec now;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
  out->tv_sec = now.tv_sec;
  out->tv_usec = now.tv_nsec / 1000;
  return 0;
}
API time_t time(time_t *out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}
API int timespec_get(struct timespec *out, int base) {
  return base == TIME_UTC && !clock_gettime(CLOCK_REALTIME, out) ? base : 0;
}
