/** The processor time of this process that `work` takes, in milliseconds: unlike a clock it does not grow on a busy machine. */
export function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
