/** A page with the values of its path. */
export interface Match<Page> {
  page: Page;
  params: Readonly<Record<string, string>>;
}

/** Finds the page of a path. Literal segments win over parameters. @param path The path below `/console/`, encoded */
export function findPage<Page extends { path: string }>(pages: readonly Page[], path: string): Match<Page> | undefined {
  const segments = path === '' ? [] : path.split('/');
  let best: Match<Page> | undefined;
  let mostLiterals = -1;
  for (const page of pages) {
    const params = matchPath(page.path, segments);
    if (params === undefined) continue;
    const literals = page.path.split('/').filter((each) => !each.startsWith('{')).length;
    if (literals > mostLiterals) [best, mostLiterals] = [{ page, params }, literals];
  }
  return best;
}

/** Matches the segments of a path with a pattern. @returns the values of its parameters, decoded; undefined for another path */
export function matchPath(pattern: string, segments: readonly string[]): Record<string, string> | undefined {
  const expected = pattern === '' ? [] : pattern.split('/');
  if (expected.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of expected.entries()) {
    const segment = decode(segments[at] ?? '');
    if (segment === undefined || segment === '') return undefined;
    if (part.startsWith('{')) params[part.slice(1, -1)] = segment;
    else if (part !== segment) return undefined;
  }
  return params;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
