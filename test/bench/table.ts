/** Prints rows under a header, columns aligned: the first to the left, the others to the right. */
export function printTable(title: string, header: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = header.map((_, at) => Math.max(...[header, ...rows].map((row) => (row[at] ?? '').length)));
  const line = (row: readonly string[]): string =>
    widths.map((width, at) => (at === 0 ? (row[at] ?? '').padEnd(width) : (row[at] ?? '').padStart(width))).join('  ');
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  console.log(['', title, line(header), rule, ...rows.map(line)].join('\n'));
}

/** The quantile of values at a share from 0 to 1: 0.5 is the median. NaN if there are no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
