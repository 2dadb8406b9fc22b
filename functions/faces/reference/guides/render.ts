import { escapeHtml } from '../../../kernel/pages/html.ts';
import { INTERNAL_MODULES } from './list.ts';

/** A part of a guide below a heading. */
export interface GuideSection {
  /** The id of the heading. */
  anchor: string;
  title: string;
  /** The text of the section without marks, for the search. */
  text: string;
  /** The code of the section. */
  code: string;
}

/** A guide as a page shows it. */
export interface RenderedGuide {
  name: string;
  title: string;
  /** The HTML below the title. */
  html: string;
  /** The Markdown, with the addresses of pages in place of those of files. */
  markdown: string;
  sections: readonly GuideSection[];
}

/** Links to READMEs of modules, and to files in their folders: `../webhooks/README.md#pacing`, `entity.ts`. */
const FILE_LINK = /\[((?:[^\][]|\[[^\]]*\])*)\]\((?!https?:|\/|#)([^)\s]+)\)/g;

/**
 * Renders a Markdown file of this project. Its HTML is escaped, because Markdown files have none; links to READMEs become
 * links to guides, and links to other files become plain text, because the reader of the reference has no source code.
 */
export async function renderGuide(name: string, source: string): Promise<RenderedGuide> {
  const { Marked } = await import('marked');
  const markdown = source.replace(FILE_LINK, (_, text: string, target: string) => {
    const address = guideAddress(target);
    return address === undefined ? text : `[${text}](${address})`;
  });
  const marked = new Marked({ gfm: true });
  const anchors = new Set<string>();
  const sections: GuideSection[] = [];
  let title = name;
  marked.use({
    renderer: {
      html: ({ text }) => escapeHtml(text),
      heading({ tokens, depth, text }) {
        const plain = plainText(text);
        if (depth === 1) {
          title = plain;
          return '';
        }
        const anchor = uniqueAnchor(plain, anchors);
        const level = `h${Math.min(depth, 4)}`;
        return `<${level} id="${anchor}">${this.parser.parseInline(tokens)} <a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a></${level}>\n`;
      },
      code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
      link({ href, tokens }) {
        const isSafe = /^(?:https?:\/\/|\/|#)/.test(href);
        const inner = this.parser.parseInline(tokens);
        return isSafe ? `<a href="${escapeHtml(href)}">${inner}</a>` : inner;
      },
      image: ({ text }) => escapeHtml(text),
    },
  });
  const html = (await marked.parse(markdown))
    .replaceAll('<table>', '<div class="table"><table>')
    .replaceAll('</table>', '</table></div>');
  collectSections(marked.lexer(markdown), sections);
  return { name, title, html, markdown, sections };
}

interface Token {
  type: string;
  depth?: number;
  text?: string;
  raw: string;
}

function collectSections(tokens: readonly Token[], sections: GuideSection[]): void {
  const anchors = new Set<string>();
  let current = { anchor: '', title: '', text: '', code: '' };
  sections.push(current);
  for (const { type, depth, text = '', raw } of tokens) {
    if (type === 'heading' && depth !== 1) {
      const title = plainText(text);
      current = { anchor: uniqueAnchor(title, anchors), title, text: '', code: '' };
      sections.push(current);
    } else if (type === 'code') {
      current.code += ` ${text}`;
    } else if (type !== 'heading' && type !== 'space') {
      current.text += ` ${plainText(raw)}`;
    }
  }
}

const plainText = (text: string): string =>
  text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*|#>]|---+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The anchor of a heading as GitHub makes it, so that links between READMEs stay valid. */
function uniqueAnchor(title: string, taken: Set<string>): string {
  const plain = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
  let anchor = plain;
  for (let at = 1; taken.has(anchor); at += 1) anchor = `${plain}-${at}`;
  taken.add(anchor);
  return anchor;
}

/** The page of a README or a guide of this folder, by the path of a link to it; undefined for another file. */
function guideAddress(target: string): string | undefined {
  const found =
    /(?:^|\/)(?:functions\/)?([a-z-]+)\/README\.md(#[\w-]+)?$/.exec(target) ??
    /reference\/guides\/([a-z-]+)\.md(#[\w-]+)?$/.exec(target);
  if (found === null) return undefined;
  const [, name = '', anchor = ''] = found;
  if (INTERNAL_MODULES.has(name) || /lib\/|test\//.test(target)) return undefined;
  return `/docs/guides/${name}${anchor}`;
}
