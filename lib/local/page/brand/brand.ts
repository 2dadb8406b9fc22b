import { LANGUAGES } from '../../../../functions/kernel/locale.ts';
import { type Html, html } from '../../../../functions/kernel/pages/html.ts';
import { findSurroundings } from '../../../../functions/kernel/pages/surroundings.ts';
import { mailFrame } from '../mail.ts';
import { HOSTED_PAGES } from './hosted-pages.ts';
import { listMails, mailTitle, renderSampleMail } from './mails.ts';

const SCHEMES = ['light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];
const WIDTHS = [360, 1280] as const;

/** The page or mail that is choices, and its language. */
export interface BrandQuery {
  /** `page:<name>` or `mail:<name>`. */
  show: string;
  locale: string;
  scheme: Scheme;
}

/** The pages and mails, each with its title. */
const listChoices = (): { show: string; title: string }[] => [
  ...HOSTED_PAGES.map(({ name, title }) => ({ show: `page:${name}`, title })),
  ...listMails().map((name) => ({ show: `mail:${name}`, title: mailTitle(name) })),
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

/** A page or mail in both schemes at two widths, with the environment's brand, in a chosen language. */
export function brandPage({ show, locale }: BrandQuery): Html {
  const choices = listChoices();
  const at = choices.findIndex((one) => one.show === show);
  const step = (by: number, label: string): Html | undefined => {
    const other = choices[at + by];
    return other && html`<a href="${makeAddress({ show: other.show, locale })}">${label}: ${other.title}</a>`;
  };
  const options = (prefix: string): Html[] =>
    choices
      .filter((one) => one.show.startsWith(prefix))
      .map((one) => html`<option value="${one.show}" ${one.show === show && html`selected`}>${one.title}</option>`);
  return html`<h1>Brand</h1>
    <p class="lead">
      Each hosted page and mail with the brand of this environment. Change it with
      <a href="/docs/pages">the settings of the pages</a>: <code>PUT /x/pages/settings</code>.
    </p>
    <form class="inline" method="get" action="/_local/brand">
      <label
        >Page or mail
        <select name="show">
          <optgroup label="Pages">${options('page:')}</optgroup>
          <optgroup label="Mails">${options('mail:')}</optgroup>
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
      The samples run no script. The account page, the admin portal and consent pages of your applications have the same
      brand: sign in as a user to see the account page.
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
    const mail = await renderSampleMail(name, environmentId, locale);
    return mail && mailFrame(mail, scheme);
  }
  const surroundings = await findSurroundings(environmentId, { headers: {} }, locale);
  const settings = { ...surroundings.settings, appearance: scheme };
  return HOSTED_PAGES.find((one) => one.name === name)?.render({ ...surroundings, settings }).body;
}
