import { renderSVG } from 'uqr';

import { findEnvironment } from '../../../kernel/authentication/environment.ts';
import { derivedOpen, derivedSeal } from '../../../kernel/keys/derived-seal.ts';
import { SealedValueError } from '../../../kernel/keys/errors.ts';
import { formatDateTime } from '../../../kernel/locale.ts';
import { codeField } from '../../../kernel/pages/fields.ts';
import { submit } from '../../../kernel/pages/form.ts';
import { type Html, Html as RawHtml, html } from '../../../kernel/pages/html.ts';
import type { Content } from '../../../kernel/pages/layout.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { touchUserVersion } from '../../../tenancy/modules/users/public.ts';
import {
  defaultIssuer,
  type FactorRecord,
  findFactors,
  isProven,
  offerTotp,
  stageProvenTotp,
  stageRemovalOfFactor,
} from '../../../proofs/mfa/public.ts';
import { stageEndOfTrust } from '../../../tenancy/modules/known-devices/public.ts';
import { countSignIn } from '../../../proofs/modules/sign-in-checks/public.ts';
import { tooMany } from '../../../kernel/limits/counter.ts';
import { stageNotice } from '../page/notice.ts';
import {
  type AccountPage,
  accountPage,
  FormRejection,
  type Outcome,
  type Rejected,
  type Sent,
} from '../page/page-operations.ts';
import { accountForm, hidden, smallButton } from '../page/render.ts';
import { lazily, type Visit } from '../session/visit.ts';

/** Maximum factors of a user, as in the API. */
const MOST_FACTORS = 10;

/** All factors of the user, proven or not. */
export const findOwnFactors = (visit: Visit): Promise<FactorRecord[]> =>
  lazily(visit, 'all factors', () => findFactors(visit.environmentId, visit.user.id));

/**
 * The secret of a new app, which is in the form of the page until the first code of the app proves it. It is encrypted with
 * a key from the session's cookie, so that another session cannot use it.
 */
const infoOf = ({ environmentId, user }: Visit): string => `account-totp ${environmentId} ${user.id}`;

const sealSecret = (visit: Visit, secret: Uint8Array): string =>
  Buffer.from(derivedSeal([visit.cookie], infoOf(visit), Buffer.from(secret).toString('hex'))).toString('base64url');

function openSecret(visit: Visit, sealed: string): Uint8Array | undefined {
  try {
    const opened = derivedOpen([visit.cookie], infoOf(visit), Buffer.from(sealed, 'base64url'));
    return Buffer.from(Buffer.from(opened).toString('utf8'), 'hex');
  } catch (error) {
    if (error instanceof SealedValueError) return undefined;
    throw error;
  }
}

const findIssuer = async ({ environmentId }: Visit): Promise<string> =>
  defaultIssuer(await findEnvironment(environmentId));

/** Hides all but the last digits of a phone number. */
const maskPhone = (phone: string): string => `•••• ${phone.slice(-3)}`;

/** The name of a factor for its owner. */
export function nameFactor(
  { translate }: Pick<Visit, 'translate'>,
  { type, issuer, phoneNumber }: FactorRecord,
): string {
  if (type === 'sms') return translate('authenticator.sms', { phone: maskPhone(phoneNumber ?? '') });
  return type === 'totp' ? translate('authenticator.app', { issuer: issuer ?? '' }) : translate('authenticator.other');
}

/** Reports whether a factor is the last proven one although the environment requires a factor. */
const isRequired = ({ signIn }: Visit, factor: FactorRecord, all: readonly FactorRecord[]): boolean =>
  signIn.mfa === 'required' && isProven(factor) && !all.some((other) => other.id !== factor.id && isProven(other));

function factorItem(visit: Visit, factor: FactorRecord, all: readonly FactorRecord[]): Html {
  const { translate, surroundings } = visit;
  const added = formatDateTime(surroundings.language.locale, factor.createdAt);
  return html`<li>
    <strong>${nameFactor(visit, factor)}</strong>
    <p class="hint">
      ${translate('added', { when: added })} ${!isProven(factor) && translate('authenticator.unproven')}
    </p>
    ${
      isRequired(visit, factor, all)
        ? html`<p class="hint">${translate('authenticator.required')}</p>`
        : html`<div class="actions">
            ${accountForm(
              visit,
              'authenticator',
              html`${hidden('id', factor.id)} ${hidden('step', 'remove')}
              ${smallButton(translate('authenticator.remove'))}`,
            )}
          </div>`
    }
  </li>`;
}

/** The form with the QR code of a new app. The code is dark on light in every theme, because readers expect that. */
async function addForm(visit: Visit, { sent, wrong }: Rejected): Promise<Html> {
  const { translate, surroundings, user } = visit;
  const { language } = surroundings;
  const given = sent.offer === undefined ? undefined : openSecret(visit, sent.offer);
  const { secret, base32, uri } = offerTotp({ issuer: await findIssuer(visit), label: user.email, secret: given });
  const picture = new RawHtml(renderSVG(uri, { border: 0, whiteColor: '#fff', blackColor: '#111' }));
  return html`<h2>${translate('authenticator.add')}</h2>
    <p class="lead">${language.translate('enrol.lead')}</p>
    <div class="stack">
      <div class="qr" role="img" aria-label="${language.translate('enrol.picture')}">${picture}</div>
      <details>
        <summary>${language.translate('enrol.by_hand')}</summary>
        <p>${language.translate('enrol.secret')}</p>
        <code>${base32.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </details>
    </div>
    ${accountForm(
      visit,
      'authenticator',
      html`${hidden('step', 'add')} ${hidden('offer', sealSecret(visit, secret))}
      ${codeField({ wrong: wrong.code }, language)} ${submit(translate('authenticator.add'))}`,
    )}`;
}

async function show(visit: Visit, rejected: Rejected = { sent: {}, wrong: {} }): Promise<Content> {
  const { translate } = visit;
  const owned = await findOwnFactors(visit);
  return {
    title: translate('authenticator.title'),
    lead: translate('authenticator.lead'),
    body: html`${
      owned.length > 0 &&
      html`<ul class="records">
        ${owned.map((factor) => factorItem(visit, factor, owned))}
      </ul>`
    }
    ${owned.length < MOST_FACTORS && (await addForm(visit, rejected))}`,
  };
}

async function act(visit: Visit, sent: Sent, unit: Unit): Promise<Outcome> {
  const { environmentId, user, origin, translate, surroundings } = visit;
  const { language } = surroundings;
  if (sent.step === 'remove') {
    const owned = await findOwnFactors(visit);
    const factor = owned.find(({ id }) => id === sent.id);
    if (factor === undefined) return { to: 'authenticator' };
    if (isRequired(visit, factor, owned)) throw new FormRejection(translate('authenticator.required'));
    // Two removals of the same user conflict, so that the second one sees that the first has left only one factor.
    touchUserVersion(unit, user);
    await stageRemovalOfFactor(unit, factor);
    stageEndOfTrust(unit, user);
    await stageNotice(unit, visit, 'authenticator_removed');
    return { to: 'authenticator', done: 'done.authenticator_removed' };
  }
  const secret = openSecret(visit, sent.offer ?? '');
  if (secret === undefined) throw new FormRejection(language.translate('page.stale'));
  if (!sent.code) throw new FormRejection({ code: language.translate('field.code_missing') });
  const verdict = await countSignIn(unit, environmentId, { userId: user.id, origin });
  if (!verdict.allowed) throw tooMany(verdict);
  const wanted = { environmentId, userId: user.id, issuer: await findIssuer(visit), label: user.email, secret };
  if ((await stageProvenTotp(unit, wanted, sent.code)) === undefined)
    throw new FormRejection({ code: language.translate('challenge.wrong') });
  touchUserVersion(unit, user);
  stageEndOfTrust(unit, user);
  await stageNotice(unit, visit, 'authenticator_added');
  return { to: 'authenticator', done: 'done.authenticator_added' };
}

export const authenticatorPage: AccountPage = {
  name: 'authenticator',
  section: 'authenticator',
  summary: 'The page on which the user adds and removes authenticator apps',
  emits: [],
  findObstacle: async (visit) => (visit.signIn.mfa === 'off' ? visit.translate('authenticator.off') : undefined),
  show,
  act,
};

export const authenticatorOperations = accountPage(authenticatorPage);
