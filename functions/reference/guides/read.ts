import { readdirSync, readFileSync } from 'node:fs';

import { GUIDES } from './list.ts';
import { type RenderedGuide, renderGuide } from './render.ts';

const FUNCTIONS = new URL('../../', import.meta.url);

/**
 * All guides: those of this folder, and the README of each module. In a bundle this file is replaced by one with the
 * rendered guides (`lib/stack/lean.ts`), so a deployed function has neither the files nor the Markdown library.
 */
export async function readGuides(): Promise<readonly RenderedGuide[]> {
  const whole = GUIDES.map(({ name }) =>
    renderGuide(name, readFileSync(new URL(`${name}.md`, import.meta.url), 'utf8')),
  );
  const modules = readdirSync(FUNCTIONS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'kernel')
    .flatMap(({ name }) => {
      try {
        return [renderGuide(name, readFileSync(new URL(`${name}/README.md`, FUNCTIONS), 'utf8'))];
      } catch {
        return [];
      }
    });
  return Promise.all([...whole, ...modules]);
}
