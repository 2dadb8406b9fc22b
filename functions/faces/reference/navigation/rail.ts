import { type Html, html } from '../../../kernel/pages/html.ts';
import { GUIDES } from '../guides/list.ts';
import { type Navigation, type Resource, resourceAddress, type Section } from './navigation.ts';

const entry = (title: string, address: string, current: string): Html =>
  html`<li>
    ${
      address === current
        ? html`<a href="${address}" aria-current="page">${title}</a>`
        : html`<a href="${address}">${title}</a>`
    }
  </li>`;

/**
 * The navigation next to the content of each page: guides, then areas with their resources. The operations of the current page are listed
 * below it. On a narrow screen it is shown by the link “Menu”, without a script, because it is the target of that link.
 * @param current the address of the page
 */
export function renderRail({ groups }: Navigation, current: string): Html {
  return html`<nav id="navigation" class="rail" aria-label="Reference">
    <a class="close" href="#content">Close the menu</a>
    <ul>
      ${entry('Overview', '/docs', current)} ${entry('Errors', '/docs/errors', current)}
      ${entry('Events', '/docs/event-types', current)}
    </ul>
    <h2>Guides</h2>
    <ul>
      ${GUIDES.map(({ name, title }) => entry(title, `/docs/guides/${name}`, current))}
    </ul>
    ${groups.map(
      ({ title, sections }) =>
        html`<h2>${title}</h2>
          ${sections.map((section) => areaEntry(section, current))}`,
    )}
  </nav>`;
}

function areaEntry({ name, title, resources }: Section, current: string): Html {
  const address = `/docs/${name}`;
  const isOpen = [address, `/docs/guides/${name}`].includes(current) || current.startsWith(`${address}/`);
  const content = html`<summary>${title}</summary>
    <ul>
      ${entry('Overview', address, current)} ${resources.map((resource) => resourceEntry(resource, current))}
    </ul>`;
  return isOpen ? html`<details open>${content}</details>` : html`<details>${content}</details>`;
}

function resourceEntry(resource: Resource, current: string): Html {
  const address = resourceAddress(resource);
  if (address !== current) return entry(resource.title, address, current);
  return html`<li>
    <a href="${address}" aria-current="page">${resource.title}</a>
    <ul>
      ${resource.operations.map(
        ({ id, operation }) => html`<li><a href="#${id}">${String(operation.summary)}</a></li>`,
      )}
    </ul>
  </li>`;
}
