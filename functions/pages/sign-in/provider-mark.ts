import { type Html, html } from '../../kernel/pages/html.ts';

/** Simplified logos of providers in one colour, so that they are visible in every theme. */
const PATHS: Readonly<Record<string, string>> = {
  Google:
    'M21.6 12.2c0-.7-.06-1.2-.2-1.8H12v3.5h5.5c-.1.9-.7 2.2-2 3.1l3 2.3c1.9-1.7 3.1-4.2 3.1-7.1ZM12 22c2.7 0 5-.9 6.6-2.5l-3.1-2.4c-.8.6-2 1-3.5 1a6 6 0 0 1-5.7-4.2l-3.2 2.5A10 10 0 0 0 12 22ZM6.3 13.9a6 6 0 0 1 0-3.9L3.1 7.5a10 10 0 0 0 0 8.9l3.2-2.5ZM12 5.9c1.9 0 3.1.8 3.9 1.5l2.8-2.8A10 10 0 0 0 3.1 7.5L6.3 10A6 6 0 0 1 12 5.9Z',
  Microsoft: 'M3 3h8.5v8.5H3V3Zm9.5 0H21v8.5h-8.5V3ZM3 12.5h8.5V21H3v-8.5Zm9.5 0H21V21h-8.5v-8.5Z',
  GitHub:
    'M12 2a10 10 0 0 0-3.2 19.5c.5.1.7-.2.7-.5v-1.7c-2.8.6-3.4-1.3-3.4-1.3-.4-1.2-1.1-1.5-1.1-1.5-.9-.6.1-.6.1-.6 1 .1 1.5 1 1.5 1 .9 1.5 2.3 1.1 2.9.8.1-.6.3-1.1.6-1.3-2.2-.3-4.6-1.1-4.6-5 0-1.1.4-2 1-2.7-.1-.2-.4-1.2.1-2.6 0 0 .8-.3 2.7 1a9.6 9.6 0 0 1 5 0c2-1.3 2.8-1 2.8-1 .5 1.4.2 2.4.1 2.6.6.7 1 1.6 1 2.7 0 3.9-2.4 4.7-4.6 5 .3.3.7.9.7 1.9V21c0 .3.1.6.7.5A10 10 0 0 0 12 2Z',
  Apple:
    'M16.4 12.6c0-2.3 1.9-3.4 2-3.5-1.1-1.6-2.8-1.8-3.4-1.8-1.4-.2-2.8.8-3.5.8s-1.8-.8-3-.8c-1.5 0-3 .9-3.8 2.3-1.6 2.8-.4 7 1.2 9.2.8 1.1 1.7 2.4 2.9 2.3 1.2 0 1.6-.7 3-.7s1.8.7 3 .7 2-1.1 2.8-2.2c.9-1.3 1.2-2.5 1.3-2.6-.1 0-2.5-1-2.5-3.7ZM14.1 5.8c.6-.8 1.1-1.9.9-2.9-.9 0-2 .6-2.7 1.4-.6.7-1.1 1.8-1 2.8 1.1.1 2.1-.5 2.8-1.3Z',
};

/** The logo next to a provider's name; nothing if there is none. */
export function providerMark(name: string): Html | undefined {
  const path = PATHS[name];
  return path === undefined
    ? undefined
    : html`<svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true"><path d="${path}" /></svg>`;
}
