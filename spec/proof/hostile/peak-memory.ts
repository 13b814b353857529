/** Watches this process: by how many megabytes its memory has grown at the most since then. */
export function peakMemory(): { end(): number } {
  const before = process.memoryUsage.rss();
  let most = before;
  const look = () => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  const timer = setInterval(look, 10);
  return {
    end() {
      clearInterval(timer);
      look();
      return Math.round((most - before) / (1 << 20));
    },
  };
}
