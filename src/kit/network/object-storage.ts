/** Files by name that all machines share. What is in it can be made again: it is a cache, and may lose files. */
export type ObjectStorage = {
  /** Null: there is no such file. Throws when the storage does not answer. */
  get(name: string): Promise<Buffer | null>;
  put(name: string, bytes: Buffer, type: string): Promise<void>;
  close(): Promise<void>;
};
