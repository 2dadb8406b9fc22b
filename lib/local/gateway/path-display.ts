import type { Topology } from '../../topology/model.ts';

const HIDDEN = '{token}';
/** An id of a record: a word and a ULID, which is not a credential. */
const ID = /^[a-z][a-z0-9_]*_[0-9A-HJKMNP-TV-Z]{26}$/;
/** The form of a token: as many letters in a row as tokens have, and more than words have. */
const TOKEN = /[A-Za-z0-9_-]{40}/;

/**
 * Makes the function that removes tokens from a request's path for the log, since the access log of a deployment contains
 * only the route. A token is recognized by its position in an operation's path; elsewhere, such as in a misspelled path, by
 * its form.
 */
export function pathDisplay({ functions }: Pick<Topology, 'functions'>): (path: string) => string {
  const routes = functions
    .flatMap(({ source }) => (source.kind === 'http' ? source.paths : []))
    .filter((path) => path.includes(HIDDEN))
    .map((path) => path.split('/'));
  return (path) => {
    const segments = path.split('/');
    const route = routes.find((known) => meets(known, segments));
    return segments.map((segment, at) => (route?.[at] === HIDDEN ? HIDDEN : hideToken(segment))).join('/');
  };
}

const meets = (route: readonly string[], segments: readonly string[]): boolean =>
  route.length === segments.length && route.every((part, at) => part.startsWith('{') || part === segments[at]);

function hideToken(segment: string): string {
  const text = decoded(segment);
  return TOKEN.test(text) && !ID.test(text) ? HIDDEN : segment;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
