import { findEnvironment } from '../../../../functions/kernel/authentication/environment.ts';
import { LANGUAGES } from '../../../../functions/kernel/locale.ts';
import { type Html, html } from '../../../../functions/kernel/pages/html.ts';
import { findSurroundings } from '../../../../functions/kernel/pages/surroundings.ts';
import type { PagesSettings } from '../../../../functions/kernel/pages/settings.ts';
import { mailFrame } from '../mail.ts';
import { ACCOUNT_PAGES } from '../../../../functions/faces/account/preview/apart.ts';
import { brandEditor } from './editor.ts';
import { type Further, type FurtherForm, furtherForms } from './further.ts';
import { HOSTED_PAGES } from '../../../../functions/faces/pages/preview/apart.ts';
import { listMails, mailTitle, renderSampleMail } from '../../../../functions/outbound/messages/preview/apart.ts';
import { PORTAL_PAGES } from '../../../../functions/faces/portal/preview/apart.ts';

const SCHEMES = ['light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];
const WIDTHS = [360, 1280] as const;

/** The pages with sample values, by the titles of their groups. */
export const PAGES = { Pages: HOSTED_PAGES, Account: ACCOUNT_PAGES, Portal: PORTAL_PAGES } as const;

/** The page or mail that is shown, and its language. */
export interface BrandQuery {
  /** `page:<name>` or `mail:<name>`. */
  show: string;
  locale: string;
  scheme: Scheme;
}

/** The pages and mails, each with its title. */
const listChoices = (): { group: string; show: string; title: string }[] => [
  ...Object.entries(PAGES).flatMap(([group, samples]) =>
    samples.map(({ name, title }) => ({ group, show: `page:${name}`, title })),
  ),
  ...listMails().map((name) => ({ group: 'Mails', show: `mail:${name}`, title: mailTitle(name) })),
];

/** Reads the query; unknown values are the first page in English. */
export function readBrandQuery(query: URLSearchParams): BrandQuery {
  const show = query.get('show') ?? '';
  return {
    show: listChoices().some((one) => one.show === show) ? show : 'page:sign-in',
    locale: LANGUAGES.find((tag) => tag === query.get('locale')) ?? 'en',
    scheme: query.get('scheme') === 'dark' ? 'dark' : 'light',
  };
}

/** The brand that the page shows and changes. */
export interface Brand {
  settings: PagesSettings;
  /** The style rules, texts and captcha, and the one of their forms that was rejected. */
  further: { values: Further; rejected: FurtherForm | undefined };
  /** The address of the service, for the call that makes the same change. */
  url: string;
  /** True if the form was rejected, so that it stays open. */
  isRejected?: boolean;
}

/** A page or mail in both schemes at two widths, with the environment's brand, in a chosen language. */
export function brandPage({ show, locale }: BrandQuery, { settings, further, url, isRejected = false }: Brand): Html {
  const choices = listChoices();
  const at = choices.findIndex((one) => one.show === show);
  const step = (by: number, label: string): Html | undefined => {
    const other = choices[at + by];
    return other && html`<a href="${makeAddress({ show: other.show, locale })}">${label}: ${other.title}</a>`;
  };
  const groups = [...Map.groupBy(choices, ({ group }) => group)].map(
    ([group, own]) =>
      html`<optgroup label="${group}">
        ${own.map((one) => html`<option value="${one.show}" ${one.show === show && html`selected`}>${one.title}</option>`)}
      </optgroup>`,
  );
  return html`<h1>Brand</h1>
    <p class="lead">
      Each page and mail with the brand of this environment: <a href="/docs/pages">the settings of the pages</a>.
    </p>
    ${brandEditor(settings, url, { show, locale }, isRejected)}
    ${furtherForms(further.values, { show, locale }, further.rejected)}
    <form class="inline" method="get" action="/_local/brand">
      <label
        >Page or mail
        <select name="show">
          ${groups}
        </select></label
      >
      <label
        >Language
        <select name="locale">
          ${LANGUAGES.map((tag) => html`<option value="${tag}" ${tag === locale && html`selected`}>${readName(tag)}</option>`)}
        </select></label
      >
      <button class="main">Show</button>
    </form>
    <p class="links">${step(-1, 'Before')} ${step(1, 'Next')}</p>
    <div class="previews">
      ${WIDTHS.flatMap((width) =>
        SCHEMES.map(
          (scheme) =>
            html`<figure class="${`preview p${width}`}">
              <figcaption>${width} px, ${scheme}</figcaption>
              <div tabindex="0" role="group" aria-label="${`${width} pixels, ${scheme}`}">
                <iframe
                  title="${`${choices[at]?.title ?? ''}, ${width} pixels, ${scheme}`}"
                  sandbox=""
                  loading="lazy"
                  src="${`/_local/brand/frame?${new URLSearchParams({ show, locale, scheme }).toString()}`}"
                ></iframe>
              </div>
            </figure>`,
        ),
      )}
    </div>
    <p class="hint">
      The samples run no script and send nothing. Each is of a person and an organization that do not exist.
    </p>`;
}

const makeAddress = (query: Record<string, string>): string => `/_local/brand?${new URLSearchParams(query).toString()}`;

const readName = (tag: string): string => new Intl.DisplayNames(['en'], { type: 'language' }).of(tag) ?? tag;

/** A page or mail as a document for a frame, in one scheme; undefined for an unknown one. */
export async function brandFrame(
  { show, locale, scheme }: BrandQuery,
  environmentId: string,
): Promise<string | undefined> {
  const [kind, name = ''] = show.split(':', 2);
  if (kind === 'mail') {
    const environment = await findEnvironment(environmentId);
    const mail = environment && (await renderSampleMail(name, environment, locale));
    return mail && mailFrame(mail, scheme);
  }
  const surroundings = await findSurroundings(environmentId, { headers: {} }, locale);
  const settings = { ...surroundings.settings, appearance: scheme };
  const sample = Object.values(PAGES)
    .flat()
    .find((one) => one.name === name);
  return (await sample?.render({ ...surroundings, settings }, environmentId))?.body;
}
