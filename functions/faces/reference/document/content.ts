import { awaitAll } from '../../../kernel/concurrency.ts';
import { readExamples } from '../examples/recorded.ts';
import { readGuides } from '../guides/read.ts';
import type { Content } from '../page/pages.ts';
import { committedDocument } from './committed.ts';

let content: Promise<Content> | undefined;

/** The content of all pages, which is read when the first page is shown. */
export function readContent(): Promise<Content> {
  content ??= load();
  return content;
}

async function load(): Promise<Content> {
  const [document, guides, examples] = await awaitAll([committedDocument(), readGuides(), readExamples()]);
  return { document, guides: new Map(guides.map((guide) => [guide.name, guide])), examples };
}
