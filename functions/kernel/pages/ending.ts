import { type Html, html } from './html.ts';
import { page } from './layout.ts';
import type { Surroundings } from './surroundings.ts';
import type { WordKey } from './words/en.ts';

type Kind =
  | 'error'
  | `error.${'expired' | 'not_found' | 'foreign'}`
  | `${'reset' | 'invitation' | 'connect' | 'social' | 'setup'}.ended`;

/** The last page of a flow, with a link back to the application. */
export function endingPage(
  surroundings: Surroundings,
  kind: Kind,
  options: { home?: string | undefined; lead?: string; again?: string; more?: Html } = {},
) {
  const { translate } = surroundings.language;
  return page(surroundings, {
    title: translate(`${kind}${kind === 'error' ? '.' : '_'}title` as WordKey),
    lead: options.lead ?? translate(`${kind}${kind === 'error' ? '.' : '_'}lead` as WordKey),
    sign: 'rejected',
    body: html`${options.more}${
      options.again === undefined
        ? applicationLink(surroundings, options.home)
        : link(options.again, translate('page.start_again'))
    }`,
  });
}

const link = (address: string, text: string): Html =>
  html`<div class="stack"><a class="button" href="${address}">${text}</a></div>`;

/** A link to the application, if one is known. */
export function applicationLink({ settings, brand = '', language }: Surroundings, home?: string) {
  const address = settings.home_url ?? home;
  if (address === undefined) return undefined;
  return link(address, language.translate('page.back', { brand }));
}

/** The page after a logout if the application names no address of its own. */
export function signedOutPage(surroundings: Surroundings, home?: string) {
  const { translate } = surroundings.language;
  return page(surroundings, {
    title: translate('signed_out.title'),
    lead: translate('signed_out.lead'),
    sign: 'done',
    takesOwnStyle: true,
    body: applicationLink(surroundings, home),
  });
}
