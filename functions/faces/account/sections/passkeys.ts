import { formatDateTime } from '../../../kernel/locale.ts';
import { field } from '../../../kernel/pages/fields.ts';
import { html, type Html } from '../../../kernel/pages/html.ts';
import { computeProof } from '../../../kernel/pages/form.ts';
import { passkeyForm } from '../../../kernel/pages/passkey-form.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import {
  beginPasskeyEnrolment,
  findPasskeys,
  finishPasskeyEnrolment,
  type PasskeyRecord,
  stagePasskeyName,
  stageRemovalOfPasskey,
} from '../../../proofs/passkeys/public.ts';
import { stageEndOfTrust } from '../../../tenancy/modules/known-devices/public.ts';
import { touchUserVersion } from '../../../tenancy/modules/users/public.ts';
import { stageNotice } from '../page/notice.ts';
import { type AccountPage, accountPage, FormRejection, type Outcome, type Rejected } from '../page/page-operations.ts';
import { accountForm, hidden, smallButton } from '../page/render.ts';
import { canSignInWithoutPasskey } from '../page/sign-in-methods.ts';
import { findOwnPasskeys } from '../session/proof.ts';
import { accountPath, bindForm, type Visit } from '../session/visit.ts';

/** Maximum characters of a name, as in the API. */
const MOST_CHARACTERS = 80;

function passkeyItem(
  visit: Visit,
  { id, name, createdAt, lastUsedAt }: PasskeyRecord,
  { sent, wrong }: Rejected,
): Html {
  const { translate, surroundings } = visit;
  const { locale } = surroundings.language;
  const isSent = sent.id === id;
  const when = formatDateTime(locale, createdAt);
  const used = lastUsedAt === undefined ? undefined : formatDateTime(locale, lastUsedAt);
  return html`<li>
    <strong>${name}</strong>
    <p class="hint">
      ${translate('added', { when })} ${used !== undefined && translate('passkeys.used', { when: used })}
    </p>
    <details ${isSent && wrong.name !== undefined && html`open`}>
      <summary>${translate('passkeys.rename')}</summary>
      ${accountForm(
        visit,
        'passkeys',
        html`${hidden('id', id)} ${hidden('step', 'rename')}
        ${field(
          {
            name: 'name',
            label: translate('passkeys.name'),
            autocomplete: 'off',
            value: isSent ? sent.name : name,
            wrong: isSent ? wrong.name : undefined,
            maxLength: MOST_CHARACTERS,
          },
          surroundings.language,
        )}
        ${smallButton(translate('form.save'))}`,
      )}
    </details>
    <div class="actions">
      ${accountForm(
        visit,
        'passkeys',
        html`${hidden('id', id)} ${hidden('step', 'remove')}
          <button class="button quiet" type="submit" aria-label="${translate('passkeys.remove_of', { name })}">
            ${translate('authenticator.remove')}
          </button>`,
      )}
    </div>
  </li>`;
}

/** The text that binds the challenge of a new passkey to this page in this browser. */
const makeSubject = (visit: Visit): string => computeProof(bindForm(visit, 'passkeys'));

/** The form for a new passkey; undefined where browsers offer none, or if the user has as many as a user may have. */
async function creationForm(visit: Visit): Promise<Html | undefined> {
  const { user, surroundings, environmentId } = visit;
  const { translate } = surroundings.language;
  const brand = surroundings.brand ?? translate('passkey.account');
  const options = await beginPasskeyEnrolment({ user, subject: makeSubject(visit) }, brand);
  if (options === undefined) return undefined;
  return html`${passkeyForm(bindForm(visit, 'passkeys'), accountPath(environmentId, 'passkeys'), {
      kind: 'create',
      options,
      label: translate('passkey.create'),
      failed: visit.translate('passkeys.not_created'),
      existing: translate('passkey.existing'),
      fields: hidden('step', 'create'),
    })} <noscript><p class="hint">${translate('passkey.needs_script')}</p></noscript>`;
}

/** Adds the passkey that the browser has created. The module of passkeys mails the user about it. */
async function create(visit: Visit, credential: string, unit: Unit): Promise<Outcome> {
  const { user, surroundings, translate } = visit;
  const outcome = await finishPasskeyEnrolment(unit, { user, subject: makeSubject(visit) }, credential);
  if (outcome.kind === 'enrolled') {
    stageEndOfTrust(unit, user);
    return { to: 'passkeys', done: 'done.passkey_created' };
  }
  const isLate = outcome.fault === 'expired';
  const alert = isLate ? surroundings.language.translate('passkey.expired') : translate('passkeys.not_created');
  throw new FormRejection(alert, { commits: true });
}

export const passkeysPage: AccountPage = {
  name: 'passkeys',
  section: 'passkeys',
  summary: 'The page with the passkeys of the user, which can be added, renamed and removed',
  emits: [],
  async show(visit, rejected = { sent: {}, wrong: {} }) {
    const { translate } = visit;
    const owned = await findOwnPasskeys(visit);
    return {
      title: translate('passkeys.title'),
      lead: translate(owned.length === 0 ? 'passkeys.none' : 'passkeys.lead'),
      body: html`${
        owned.length > 0 &&
        html`<ul class="records">
          ${owned.map((passkey) => passkeyItem(visit, passkey, rejected))}
        </ul>`
      }
      ${visit.signIn.methods.passkey && (await creationForm(visit))}`,
    };
  },
  async act(visit, sent, unit) {
    const { environmentId, user, translate } = visit;
    if (sent.step === 'create') return create(visit, sent.credential ?? '', unit);
    // Only the user's own passkeys are in the list, so an id of another user's passkey is not found.
    const passkey = (await findPasskeys(environmentId, user.id)).find(({ id }) => id === sent.id);
    if (passkey === undefined) return { to: 'passkeys' };
    if (sent.step === 'rename') {
      const { name = '' } = sent;
      if (name === '' || name.length > MOST_CHARACTERS || /\p{C}/u.test(name))
        throw new FormRejection({ name: translate('passkeys.name_invalid') });
      stagePasskeyName(unit, passkey, name);
      return { to: 'passkeys', done: 'done.passkey_renamed' };
    }
    if (!(await canSignInWithoutPasskey(visit, passkey.id))) throw new FormRejection(translate('passkeys.last'));
    // Two removals conflict at the user's row, so that the second one sees what the first has left.
    touchUserVersion(unit, user);
    await stageRemovalOfPasskey(unit, passkey);
    stageEndOfTrust(unit, user);
    await stageNotice(unit, visit, 'passkey_removed', passkey.name);
    return { to: 'passkeys', done: 'done.passkey_removed' };
  },
};

export const passkeysOperations = accountPage(passkeysPage);
