/** Where files are kept that outlive the database: a folder, or a bucket. */
export type ArchivePlace = {
  /** Writes a whole file. It is complete when it is there, and safe when this returns. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Reads a file, or the bytes from `start` up to `end`. */
  read(path: string, start?: number, end?: number): Promise<Uint8Array>;
  /** Whether a file is there. One that the service may not see is not. */
  has(path: string): Promise<boolean>;
  /** Removes a file. One that is not there is removed already. */
  remove(path: string): Promise<void>;
};

/** A file of the archive cannot be written or read. The message says which, and why. */
export class ArchiveError extends Error {
  constructor(doing: string, path: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${path} in the archive could not be ${doing}: ${reason}`, { cause });
    this.name = 'ArchiveError';
  }
}
