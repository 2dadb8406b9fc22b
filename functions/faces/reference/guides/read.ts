import { readdirSync, readFileSync } from 'node:fs';

import { awaitAll } from '../../../kernel/concurrency.ts';
import { GUIDES, INTERNAL_MODULES } from './list.ts';
import { type RenderedGuide, renderGuide } from './render.ts';

const FUNCTIONS = new URL('../../../', import.meta.url);
/** The README of an area or a module, by its path from there. */
const README = /^(?!kernel\/)[^/]+\/(?:modules\/)?([^/]+)\/README\.md$/;

/**
 * All guides: those of this folder, and the README of each module that callers use. In a bundle this file is replaced by one with the
 * rendered guides (`lib/stack/lean.ts`), so a deployed function has neither the files nor the Markdown library.
 */
export async function readGuides(): Promise<readonly RenderedGuide[]> {
  const whole = GUIDES.map(({ name }) =>
    renderGuide(name, readFileSync(new URL(`${name}.md`, import.meta.url), 'utf8')),
  );
  const modules = readdirSync(FUNCTIONS, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((file) => ({ file, name: README.exec(file)?.[1] ?? '' }))
    .filter(({ name }) => name !== '' && !INTERNAL_MODULES.has(name))
    .map(({ file, name }) => renderGuide(name, withoutInternals(readFileSync(new URL(file, FUNCTIONS), 'utf8'))));
  return awaitAll([...whole, ...modules]);
}

/** The headings of the sections of READMEs about how a module is built and what it costs, which are of no use to a caller. */
const INTERNAL = new Set([
  'A page in the code',
  'Adding a provider',
  'Another section',
  'Costs',
  'Files',
  'For the sign-in engine (`public.ts`)',
  'From an event to its delivery',
  'Further operations',
  'How it is built',
  'How it is kept',
  'How it is stored',
  'Keys and costs',
  'Not built yet',
  'Pacing: circuit breaker and concurrency cap in one',
  'Rows, keys and costs',
  'Use: for areas of the service',
  'How it is made',
  'Templates',
  'The merged page',
  'The relay',
  'Trying it',
  'What happens',
  'Why no library renders the pages',
]);

/** A README without its internal sections, with all below them: those headings, and tables of the keys of rows. */
function withoutInternals(source: string): string {
  let hidden = 0;
  return source
    .split(/^(?=##+ )/m)
    .filter((part) => {
      const [heading = '', marks = '', title = ''] = /^(##+) (.+)/.exec(part) ?? [];
      if (heading !== '' && marks.length <= (hidden || marks.length)) {
        hidden = INTERNAL.has(title) || /^## Keys\n+(?:\| Row|None)/.test(part) ? marks.length : 0;
      }
      return hidden === 0;
    })
    .join('');
}
