import { field } from '../../../kernel/pages/fields.ts';
import { submit } from '../../../kernel/pages/form.ts';
import { html } from '../../../kernel/pages/html.ts';
import { stageUserChange } from '../../../tenancy/modules/users/public.ts';
import { findGovernedReason } from '../page/governance.ts';
import { stageNotice } from '../page/notice.ts';
import { type AccountPage, accountPage, FormRejection } from '../page/page-operations.ts';
import { accountForm } from '../page/render.ts';

/** Maximum characters of a name, as in the API. */
const MOST_CHARACTERS = 255;

const NAMES = ['first_name', 'last_name', 'name'] as const;

/** Control characters, which no name has. */
const CONTROL = /\p{Cc}/u;

export const namePage: AccountPage = {
  name: 'name',
  section: 'name',
  summary: 'The page on which the user changes the name',
  emits: ['user.updated'],
  findObstacle: findGovernedReason,
  async show(visit, { sent = {}, wrong = {} } = { sent: {}, wrong: {} }) {
    const { user, translate, surroundings } = visit;
    const { language } = surroundings;
    const own = (name: string, label: string, value: string | undefined, autocomplete: string) =>
      field({ name, label, autocomplete, value: sent[name] ?? value, wrong: wrong[name], optional: true }, language);
    return {
      title: translate('name.title'),
      body: accountForm(
        visit,
        'name',
        html`${own('first_name', language.translate('field.first_name'), user.firstName, 'given-name')}
        ${own('last_name', language.translate('field.last_name'), user.lastName, 'family-name')}
        ${user.name !== undefined && own('name', translate('name.full'), user.name, 'name')}
        ${submit(translate('form.save'))}`,
      ),
    };
  },
  async act(visit, sent, unit) {
    const { user, translate } = visit;
    const wrong = Object.fromEntries(
      NAMES.filter((name) => (sent[name] ?? '').length > MOST_CHARACTERS || CONTROL.test(sent[name] ?? '')).map(
        (name) => [name, translate('name.invalid')],
      ),
    );
    if (Object.keys(wrong).length > 0) throw new FormRejection(wrong);
    const read = (name: string, former: string | undefined): string | undefined =>
      sent[name] === undefined ? former : sent[name] || undefined;
    const changes = {
      firstName: read('first_name', user.firstName),
      lastName: read('last_name', user.lastName),
      name: user.name === undefined ? undefined : read('name', user.name),
    };
    const isSame = changes.firstName === user.firstName && changes.lastName === user.lastName;
    if (isSame && changes.name === user.name) return { done: 'done.name' };
    stageUserChange(unit, user, changes);
    await stageNotice(unit, visit, 'name_changed');
    return { done: 'done.name' };
  },
};

export const nameOperations = accountPage(namePage);
