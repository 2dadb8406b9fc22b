import { LANGUAGES } from '../../../kernel/locale.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { call, consolePage, type Part } from '../page/declare.ts';
import { addressIn, type Visit, withQuery } from '../page/visit.ts';
import { frame } from '../view/parts.ts';

interface Preview {
  name: string;
  title: string;
  html: string;
  names: { name: string; title: string }[];
}

const SCHEMES = ['light', 'dark'] as const;

/** The kinds of previews with their operations and their titles, in the order of the menu. */
const KINDS = {
  page: { operation: 'pages.preview', title: 'Pages of a sign-in' },
  account: { operation: 'account.preview', title: 'Account page' },
  portal: { operation: 'portal.preview', title: 'Portal' },
  mail: { operation: 'messages.preview', title: 'Mails' },
} as const;
type Kind = keyof typeof KINDS;

const isKind = (text: string | undefined): text is Kind => text !== undefined && Object.hasOwn(KINDS, text);

interface Chosen {
  kind: Kind;
  /** Empty for the first one. */
  name: string;
  locale: string;
}

/** The page or mail that the query chooses, such as `mail:magic-auth`, and its language; without one the first page, in English. */
function readChosen({ query }: Visit): Chosen {
  const [kind, name = ''] = (query.get('show') ?? '').split(':', 2);
  const locale = LANGUAGES.find((tag) => tag === query.get('locale')) ?? 'en';
  return isKind(kind) ? { kind, name, locale } : { kind: 'page', name: '', locale };
}

const previewCall = ({ kind, name, locale }: Chosen, scheme: string) =>
  call<Preview>(KINDS[kind].operation, {}, { name, locale, scheme });

const readName = (tag: string): string => new Intl.DisplayNames(['en'], { type: 'language' }).of(tag) ?? tag;

function renderChoices(kind: Kind, part: Part<Preview> | undefined, chosen: string): Html | undefined {
  if (part?.state !== 'shown') return undefined;
  return html`<optgroup label="${KINDS[kind].title}">
    ${part.value.names.map(({ name, title: text }) => {
      const show = `${kind}:${name}`;
      return html`<option value="${show}" ${show === chosen && html`selected`}>${text}</option>`;
    })}
  </optgroup>`;
}

/** The kinds of previews. */
const listKinds = (): Kind[] => Object.keys(KINDS) as Kind[];

/** Pages and mails in the brand of the environment, in a language, in both schemes. */
export const previewsPage = consolePage({
  path: 'e/{environment}/previews',
  title: 'Previews of pages and mails',
  permission: 'config.read',
  menu: { group: 'Settings' },
  hasFrames: true,
  main: 'chosen',
  calls: (visit) => {
    const chosen = readChosen(visit);
    // The first preview of each other kind names those of its kind.
    const others = listKinds().filter((kind) => kind !== chosen.kind);
    const calls = others.map((kind) => [kind, previewCall({ ...chosen, kind, name: '' }, 'light')] as const);
    return {
      ...(Object.fromEntries(calls) as Record<Kind, (typeof calls)[number][1]>),
      chosen: previewCall(chosen, 'light'),
    };
  },
  view: ({ chosen, ...others }, visit) => {
    const { kind, locale } = readChosen(visit);
    const { name, title } = chosen.state === 'shown' ? chosen.value : { name: '', title: '' };
    const show = `${kind}:${name}`;
    return html`<form class="bar" method="get" action="${addressIn(visit, 'previews')}">
        <label class="wide"
          >Page or mail
          <select name="show">
            ${listKinds().map((each) => renderChoices(each, each === kind ? chosen : others[each], show))}
          </select></label
        >
        <label
          >Language
          <select name="locale">
            ${LANGUAGES.map((tag) => html`<option value="${tag}" ${tag === locale && html`selected`}>${readName(tag)}</option>`)}
          </select></label
        >
        <button class="button" type="submit">Show</button>
      </form>
      <p class="hint">
        The samples run no script and send nothing. Each is of a person and an organization that do not exist. Pictures
        and fonts of other hosts are not loaded here.
      </p>
      ${SCHEMES.map((scheme) =>
        frame(
          scheme === 'light' ? 'Light scheme' : 'Dark scheme',
          html`<iframe
            class="preview"
            title="${`${title}, ${scheme} scheme`}"
            sandbox=""
            width="100%"
            height="720"
            src="${withQuery(addressIn(visit, 'previews', 'frame'), { show, locale, scheme })}"
          ></iframe>`,
        ),
      )}`;
  },
});

/** One preview as a document for a frame, without any right: see `documentHeaders`. */
export const previewFramePage = consolePage({
  path: 'e/{environment}/previews/frame',
  title: 'Preview',
  permission: 'config.read',
  main: 'chosen',
  calls: (visit) => ({
    chosen: previewCall(readChosen(visit), visit.query.get('scheme') === 'dark' ? 'dark' : 'light'),
  }),
  view: () => html``,
  document: ({ chosen }) => (chosen.state === 'shown' ? chosen.value.html : ''),
});
