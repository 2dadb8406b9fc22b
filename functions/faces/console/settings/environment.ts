import { html } from '../../../kernel/pages/html.ts';
import { changeAct, renderChange } from '../page/change.ts';
import { call, consolePage, type Sent } from '../page/declare.ts';
import { facts, frame, panel } from '../view/parts.ts';
import { code, tags, when, yesNo } from '../view/values.ts';

/** An environment, in responses of the API. */
export interface Environment {
  id: string;
  client_id: string;
  name: string;
  contact_email: string | null;
  issuer: string | null;
  color: string | null;
  is_production: boolean;
  is_platform: boolean;
  created_at: string;
}

/** The members of a submitted form; an empty field removes the value. */
export const readMembers = ({ name, contact = '', issuer = '', color = '', production }: Sent) => ({
  name,
  contact_email: contact.trim() || null,
  issuer: issuer.trim() || null,
  color: color.trim() || null,
  is_production: production === 'on',
});

const update = changeAct({
  operation: 'stage_environments.update',
  params: ({ params: { environment = '' } }) => ({ id: environment }),
});

/** The fields of the form of a new environment. */
export const renderFields = () =>
  html`<label class="field">Name <input name="name" required maxlength="128" autocomplete="off" /></label>
    <label class="field"
      >Contact address <input type="email" name="contact" maxlength="320" autocomplete="off"
    /></label>
    <label class="field"
      >Issuer of tokens; that of the service if empty
      <input type="url" name="issuer" maxlength="500" autocomplete="off"
    /></label>
    <label class="field"
      >Colour in the console, such as b00020
      <input name="color" maxlength="7" pattern="#?[0-9a-fA-F]{6}" autocomplete="off"
    /></label>
    <label><input type="checkbox" name="production" /> Production: every act needs a reason</label>`;

const renderEnvironment = (own: Environment) =>
  facts([
    ['Id', code(own.id)],
    ['Client id', code(own.client_id)],
    ['Name', own.name],
    ['Contact', own.contact_email ?? 'Not set'],
    ['Issuer', own.issuer ?? 'That of the service'],
    ['Colour', own.color],
    ['Production', yesNo(own.is_production)],
    ['Platform', yesNo(own.is_platform)],
    ['Created', when(own.created_at)],
  ]);

/** The environment itself: name, contact, issuer, colour, production. Owners change them. */
export const environmentPage = consolePage({
  path: 'e/{environment}/environment',
  title: 'Environment',
  permission: 'config.read',
  menu: { group: 'Settings' },
  acts: [update],
  calls: ({ params: { environment } }) => ({
    own: call<Environment>('environment.get'),
    changed: call<Environment>('stage_environments.get', { id: environment }),
  }),
  view: ({ own, changed }, visit) =>
    html`${panel('Environment', own, renderEnvironment)} ${renderChange(visit, update, changed, 'Environment')}
    ${frame('Your permissions here', html`<div class="pad">${tags([...(visit.environment?.permissions ?? [])])}</div>`)}`,
});
