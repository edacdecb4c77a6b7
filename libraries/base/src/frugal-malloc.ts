/**
 * Environment variables for glibc's malloc in processes that are mostly idle. All threads share one arena. Free memory at the end
 * of the arena is returned to the system, as are freed allocations of at least 16 KiB. For example, V8 temporarily needs 700 MB
 * to compile PostgreSQL's WebAssembly. Without these settings, 70 MB of this memory would remain allocated.
 */
export const frugalMalloc = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_TRIM_THRESHOLD_: "65536",
  MALLOC_MMAP_THRESHOLD_: "16384",
};
