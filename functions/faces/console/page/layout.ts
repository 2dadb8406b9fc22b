import { clock } from '../../../kernel/clock.ts';
import { computeProof } from '../../../kernel/pages/form.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import type { Operator } from '../operator.ts';
import { renderAccountForm } from './account-form.ts';
import { assetAddresses } from '../assets/names.ts';
import { securityHeaders } from './headers.ts';
import { addressIn, environmentAddress, type OperatorEnvironment, type Visit } from './visit.ts';

/** An entry of the menu. */
export interface MenuLink {
  title: string;
  address: string;
  shortcut?: string | undefined;
  isCurrent: boolean;
}

/** The entries of one group of the menu. */
export interface MenuSection {
  title: string;
  links: readonly MenuLink[];
}

/** A link above the title of a page. */
export interface Crumb {
  title: string;
  address: string;
}

/** The parts of a page around its content. */
export interface Shell {
  /** The operator; undefined on pages before a sign-in. */
  operator: Operator | undefined;
  environment?: OperatorEnvironment | undefined;
  menu?: readonly MenuSection[];
  crumbs?: readonly Crumb[];
  title: string;
  /** Shown left of the title. */
  mark?: Html | undefined;
  lead?: Html | undefined;
  notice?: string | undefined;
  alert?: string | undefined;
  content: Html;
  /** True for a page that shows documents of this console in frames. */
  hasFrames?: boolean | undefined;
  /** The text of the search field. */
  search?: string;
}

/** The colour of an environment that has none: that of production differs from the others. */
const DEFAULT_COLOURS = { production: '#c2410c', other: '#64748b' } as const;

/** The colour of an environment. */
export const findColour = ({ color, isProduction }: Pick<OperatorEnvironment, 'color' | 'isProduction'>): string =>
  color !== null && /^#[0-9a-f]{6}$/i.test(color) ? color : DEFAULT_COLOURS[isProduction ? 'production' : 'other'];

/** A dot in the colour of an environment. A presentation attribute needs no permission of the policy, unlike a style. */
export const colourDot = (environment: OperatorEnvironment): Html =>
  html`<svg viewBox="0 0 10 10" aria-hidden="true">
    <circle cx="5" cy="5" r="5" fill="${findColour(environment)}" />
  </svg>`;

const LOGO = html`<svg viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
  <path d="M8 1 1 6v9h5v-5h4v5h5V6z" />
</svg>`;

/** Characters that change the direction of text, with which a name could show another one. */
const DIRECTION_MARKS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Removes the characters that change the direction of text. */
export const withoutDirectionMarks = (text: string): string => text.replaceAll(DIRECTION_MARKS, '');

/** A complete page of the console with its headers. */
export function consoleShell(shell: Shell): { body: string; headers: Record<string, string> } {
  const { operator, environment, menu, title, alert } = shell;
  const { script, style } = assetAddresses();
  const access = operator?.isEmergency === true ? `${operator.email} · ` : '';
  const place = `${access}${environment === undefined ? '' : `${environment.name} · `}`;
  const { text } = html`<html lang="en" data-now="${clock.timestamp()}">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${alert !== undefined && 'Error: '}${place}${title} · Gatehouse console</title>
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href="${style}" />
      <script src="${script}" defer></script>
    </head>
    <body>
      <a class="skip" href="#content">Skip to the content</a>
      ${
        environment !== undefined &&
        html`<svg class="stripe" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
          <rect width="1" height="1" fill="${findColour(environment)}" />
        </svg>`
      }
      ${operator !== undefined && renderTop(shell, operator)}
      <div class="sheet${menu === undefined && ' bare'}">
        ${menu !== undefined && renderMenu(menu)}
        <main id="content" tabindex="-1">${renderHead(shell)}${shell.content}</main>
      </div>
    </body>
  </html>`;
  // Values cannot have a tag, so blanks before a tag are those of the templates.
  const compact = text.replaceAll(/\n\s+(?=<)/g, '\n');
  return {
    body: `<!doctype html>\n${withoutDirectionMarks(compact)}\n`,
    headers: securityHeaders('text/html; charset=utf-8', { hasFrames: shell.hasFrames ?? false }),
  };
}

function renderHead({ crumbs = [], title, mark, lead, notice, alert }: Shell): Html {
  return html`${
      crumbs.length > 0 &&
      html`<nav class="crumbs" aria-label="Breadcrumbs">
        ${crumbs.map(
          (crumb, at) =>
            html`${at > 0 && html`<span aria-hidden="true">/</span>`}<a href="${crumb.address}">${crumb.title}</a>`,
        )}
      </nav>`
    }
    <div class="head">
      ${mark}
      <div>
        <h1>${title}</h1>
        ${lead !== undefined && html`<div class="lead">${lead}</div>`}
      </div>
    </div>
    ${alert !== undefined && html`<p class="alert" role="alert">${alert}</p>`}
    ${notice !== undefined && html`<p class="notice" role="status">${notice}</p>`}`;
}

const renderTop = ({ environment, menu, search = '' }: Shell, operator: Operator): Html =>
  html`<header class="top">
    ${menu !== undefined && html`<a class="button open-menu" href="#menu">Menu</a>`}
    <a class="home" href="/console" aria-label="Gatehouse console">${LOGO}<span>Gatehouse</span></a>
    ${
      environment !== undefined &&
      html`<a class="env" href="/console" title="Change the environment"
          >${colourDot(environment)}<span>${environment.name}</span></a
        >
        <form class="find" method="get" action="${environmentAddress(environment.id, 'search')}" role="search">
          <label class="skip" for="search">Search ${environment.name}</label>
          <input
            id="search"
            type="search"
            name="q"
            value="${search}"
            maxlength="200"
            autocomplete="off"
            spellcheck="false"
            placeholder="Search: an id, an email address, an organization …"
          />
          <kbd hidden>Ctrl K</kbd>
        </form>`
    }
    ${operator.isEmergency && html`<strong class="badge bad">${operator.email}</strong>`}
    ${renderOperatorMenu(operator)}
  </header>`;

const renderOperatorMenu = (operator: Operator): Html => {
  const name = operator.name ?? operator.email;
  return html`<details>
    <summary>
      <span class="avatar" aria-hidden="true">${initials(name)}</span><span class="skip">Your account</span>
    </summary>
    <div class="menu-of-operator">
      <p>${operator.name !== null && html`<strong>${operator.name}</strong><br />`}${operator.email}</p>
      <a href="/console">Environments</a>
      ${renderAccountForm(operator)}
      <form method="post" action="/console/sign-out">
        <input type="hidden" name="proof" value="${computeProof({ value: operator.binding, subject: 'sign-out' })}" />
        <button type="submit">Sign out</button>
      </form>
    </div>
  </details>`;
};

const renderMenu = (menu: readonly MenuSection[]): Html =>
  html`<nav class="rail" id="menu" aria-label="Pages">
    <a class="button close" href="#content">Close</a>
    ${menu.map(
      ({ title, links }) =>
        html`${title !== '' && html`<h2>${title}</h2>`}
          <ul>
            ${links.map(
              (link) =>
                html`<li>
                  <a
                    href="${link.address}"
                    data-title="${link.title}"
                    ${link.shortcut !== undefined && html`data-key="${link.shortcut}"`}
                    ${link.isCurrent && html`aria-current="page"`}
                    >${link.title}</a
                  >
                </li>`,
            )}
          </ul>`,
    )}
  </nav>`;

/** The initials of a name or an address. The console shows no pictures, since their host would learn who is looked at. */
export function initials(name: string): string {
  const words = (name.split('@', 1)[0] ?? '').split(/[\s._-]+/u).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '');
  return letters.join('').toUpperCase() || '?';
}

/** The address of a page of the visit, below its environment. */
export const pageAddress = (visit: Visit, path: string): string =>
  path === '' ? addressIn(visit) : addressIn(visit, ...path.split('/'));
