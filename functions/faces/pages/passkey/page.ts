import { form, otherwise } from '../../../kernel/pages/form.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { page } from '../../../kernel/pages/layout.ts';
import { passkeyForm } from '../../../kernel/pages/passkey-form.ts';
import type { Surroundings } from '../../../kernel/pages/surroundings.ts';
import type { CreationOptions, RequestOptions } from '../../../proofs/passkeys/public.ts';
import type { SignInView } from '../flow/sign-in-view.ts';

export interface PasskeyOfferPage extends SignInView {
  options: CreationOptions;
  /** The address that continues the sign-in without a passkey. */
  skip: string;
}

/** The page that offers a passkey. "Not now" is a form of its own, since it is remembered. */
export function passkeyOfferPage(surroundings: Surroundings, view: PasskeyOfferPage) {
  const { translate } = surroundings.language;
  return page(surroundings, {
    title: translate('passkey.offer_title'),
    lead: translate('passkey.offer_lead'),
    alert: view.alert,
    targets: view.targets,
    // A browser without JavaScript does not stop here.
    refreshWithoutScript: view.skip,
    body: html`<p class="who"><bdi>${view.email}</bdi></p>
      <div class="stack" data-without="${view.skip}">
        ${passkeyForm(view.binding, view.action, {
          kind: 'create',
          options: view.options,
          label: translate('passkey.create'),
          failed: translate('passkey.not_created'),
          existing: translate('passkey.existing'),
        })}
        ${form(view.binding, view.action, otherwise('later', translate('passkey.not_now')))}
      </div>`,
  });
}

export interface PasskeyChallengePage extends SignInView {
  /** The options; undefined where browsers offer no passkeys any more. */
  options: RequestOptions | undefined;
  /** The choice not to be asked again. */
  choice: Html | undefined;
  /** The links to other second factors. */
  others: Html;
}

/** The page on which a passkey is the second factor. */
export function passkeyChallengePage(surroundings: Surroundings, view: PasskeyChallengePage) {
  const { translate } = surroundings.language;
  return page(surroundings, {
    title: translate('challenge.title'),
    lead: translate('passkey.challenge_lead'),
    alert: view.alert,
    notice: view.notice,
    targets: view.targets,
    body: html`${
        view.options !== undefined &&
        passkeyForm(view.binding, view.action, {
          kind: 'get',
          options: view.options,
          label: translate('passkey.use'),
          failed: translate('passkey.not_used'),
          fields: view.choice,
        })
      }
      <noscript><p class="alert">${translate('passkey.needs_script')}</p></noscript>
      ${view.others}`,
  });
}
