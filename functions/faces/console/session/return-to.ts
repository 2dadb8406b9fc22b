import { readConsoleUrl } from '../../../kernel/own-origin.ts';

/** The longest address to which a sign-in returns, in characters. */
const LONGEST = 1_000;
/** The pages of signing in and out, to which no sign-in returns. */
const NO_TARGET = /^\/console\/(?:link\/|assets\/|sign-in$|signed-in$|sign-out$|account$)/;

/**
 * Reads the address of a page of the console: its path and query. Any other address, and one of another origin, becomes the start
 * page, so that a sign-in is no open redirect.
 */
export function readReturnTo(text: string | undefined): string {
  const base = readConsoleUrl();
  if (text === undefined || text.length > LONGEST || !URL.canParse(text, base)) return '/console';
  const { origin, pathname, search } = new URL(text, base);
  const isPage = pathname === '/console' || pathname.startsWith('/console/');
  if (origin !== new URL(base).origin || !isPage || NO_TARGET.test(pathname)) return '/console';
  return `${pathname}${search}`;
}
