/** The group of a file below functions/, and the folder of its modules. */
const GROUP = /^(?!kernel\/)[^/]+\/(?:modules\/)?/;

/** The path of a file below functions/ from the folder of its group: that of an area or a module, or of the kernel, comes first. */
export const withoutGroup = (path: string): string => path.replace(GROUP, '');

/**
 * The area or module of a file, or the kernel.
 * @param file its path from the root of the project
 * @returns undefined for files that are in none
 */
export function findModule(file: string): string | undefined {
  const [, path] = /^functions\/(.+\/.+)$/.exec(file) ?? [];
  return path === undefined ? undefined : withoutGroup(path).split('/', 1)[0];
}
