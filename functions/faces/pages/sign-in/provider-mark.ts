import { type Html, html } from '../../../kernel/pages/html.ts';

/** Logos of providers in one colour, so that they are visible in every theme. */
const PATHS: Readonly<Record<string, string>> = {
  GitHub:
    'M12 2a10 10 0 0 0-3.2 19.5c.5.1.7-.2.7-.5v-1.7c-2.8.6-3.4-1.3-3.4-1.3-.4-1.2-1.1-1.5-1.1-1.5-.9-.6.1-.6.1-.6 1 .1 1.5 1 1.5 1 .9 1.5 2.3 1.1 2.9.8.1-.6.3-1.1.6-1.3-2.2-.3-4.6-1.1-4.6-5 0-1.1.4-2 1-2.7-.1-.2-.4-1.2.1-2.6 0 0 .8-.3 2.7 1a9.6 9.6 0 0 1 5 0c2-1.3 2.8-1 2.8-1 .5 1.4.2 2.4.1 2.6.6.7 1 1.6 1 2.7 0 3.9-2.4 4.7-4.6 5 .3.3.7.9.7 1.9V21c0 .3.1.6.7.5A10 10 0 0 0 12 2Z',
  Apple:
    'M16.4 12.6c0-2.3 1.9-3.4 2-3.5-1.1-1.6-2.8-1.8-3.4-1.8-1.4-.2-2.8.8-3.5.8s-1.8-.8-3-.8c-1.5 0-3 .9-3.8 2.3-1.6 2.8-.4 7 1.2 9.2.8 1.1 1.7 2.4 2.9 2.3 1.2 0 1.6-.7 3-.7s1.8.7 3 .7 2-1.1 2.8-2.2c.9-1.3 1.2-2.5 1.3-2.6-.1 0-2.5-1-2.5-3.7ZM14.1 5.8c.6-.8 1.1-1.9.9-2.9-.9 0-2 .6-2.7 1.4-.6.7-1.1 1.8-1 2.8 1.1.1 2.1-.5 2.8-1.3Z',
};

/** Logos whose owners require their colours. Each is legible on light and dark backgrounds. */
const COLOURED: Readonly<Record<string, readonly (readonly [colour: string, path: string])[]>> = {
  Google: [
    [
      '#EA4335',
      'M12 4.75c1.77 0 3.36.61 4.61 1.8l3.43-3.43A11.97 11.97 0 0 0 1.28 6.61l3.99 3.1C6.22 6.86 8.87 4.75 12 4.75Z',
    ],
    [
      '#4285F4',
      'M23.49 12.28c0-.79-.07-1.54-.19-2.28H12v4.51h6.47a5.53 5.53 0 0 1-2.39 3.59l3.87 3a11.76 11.76 0 0 0 3.54-8.82Z',
    ],
    ['#FBBC05', 'M5.27 14.29a7.22 7.22 0 0 1 0-4.58l-3.99-3.1a12.03 12.03 0 0 0 0 10.78l3.99-3.1Z'],
    [
      '#34A853',
      'M12 24c3.24 0 5.97-1.06 7.95-2.9l-3.87-3c-1.07.72-2.46 1.15-4.08 1.15a7.09 7.09 0 0 1-6.73-4.96l-3.99 3.1A11.99 11.99 0 0 0 12 24Z',
    ],
  ],
  Microsoft: [
    ['#F25022', 'M3 3h8.5v8.5H3V3Z'],
    ['#7FBA00', 'M12.5 3H21v8.5h-8.5V3Z'],
    ['#00A4EF', 'M3 12.5h8.5V21H3v-8.5Z'],
    ['#FFB900', 'M12.5 12.5H21V21h-8.5v-8.5Z'],
  ],
};

/** The logo next to a provider's name; the first letter of the name for a provider without one. */
export function providerMark(name: string): Html {
  const coloured = COLOURED[name];
  if (coloured !== undefined)
    return html`<svg viewBox="0 0 24 24" aria-hidden="true">
      ${coloured.map(([colour, path]) => html`<path fill="${colour}" d="${path}" />`)}
    </svg>`;
  const path = PATHS[name];
  return path === undefined
    ? html`<span class="letter" aria-hidden="true">${name.slice(0, 1)}</span>`
    : html`<svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true"><path d="${path}" /></svg>`;
}
