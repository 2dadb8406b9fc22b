import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The names of the files that code of a function imports, or loads on demand. */
export const listLoaded = (code: string): string[] =>
  [...code.matchAll(/(?:\b(?:from|import)\s*|\()"\.\/([\w.-]+)"/g)].map(([, file = '']) => file);

/** The names of the files that are loaded with a file of a function, itself included. */
export function listImported(folder: string, first: string): string[] {
  const reached = new Set([first]);
  for (const file of reached) {
    const code = readFileSync(join(folder, file), 'utf8');
    [...code.matchAll(/\b(?:from|import)\s*"\.\/([\w.-]+)"/g)].forEach(([, each = '']) => reached.add(each));
  }
  return [...reached];
}
