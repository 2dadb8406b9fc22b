import { html } from '../../../kernel/pages/html.ts';
import { readNavigation } from '../navigation/navigation.ts';
import { page } from '../page/layout.ts';
import type { Content } from '../page/pages.ts';
import { rank } from './rank.ts';
import { searchIndex } from './search-index.ts';

/** The results of a search as a page, for browsers without JavaScript and for links. */
export function resultsPage(content: Content, search: string): string {
  const hits = rank(searchIndex(content), search);
  return page({
    title: 'Search',
    crumbs: [{ title: 'Reference', address: '/docs' }],
    navigation: readNavigation(content.document),
    address: '/docs?q',
    search,
    content:
      hits.length === 0
        ? html`<p>Nothing has these words. Try one word, or begin at the <a href="/docs">overview</a>.</p>`
        : html`<ul class="hits">
            ${hits.map(
              ({ t, k, u, d }) =>
                html`<li>
                  <a href="${u}"><span class="kind">${k}</span> ${t}<small>${d}</small></a>
                </li>`,
            )}
          </ul>`,
  });
}
