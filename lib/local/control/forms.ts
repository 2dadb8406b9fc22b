import * as z from 'zod';

import { NewFeedback } from '../messages/feedback.ts';
import { NewFault } from '../proxy/faults.ts';
import { applyEntered } from '../page/brand/editor.ts';
import { parseTexts } from '../page/brand/further.ts';
import type { Controls } from './controls.ts';
import { Advance } from './handlers.ts';
import type { OwnApi, OwnReply } from './own-api.ts';
import { signInAs } from './sign-in-as.ts';

/** The result of a form: the page to which the browser goes, or the page that shows the error with the entered values. */
export type FormResult = { location: string; cookies?: readonly string[] } | { again: FormPage; alert: string };

/** A page with forms that can be rejected. */
export type FormPage = 'start' | 'people' | 'faults' | 'brand';

type Fields = Readonly<Record<string, string>>;
type Act = (fields: Fields) => Promise<FormResult>;

/** The sentences after a form, by the value of `done` in the query. */
export const NOTICES: Readonly<Record<string, string>> = {
  advanced: 'The clock was moved. What has become due is running.',
  'real-time': 'The clock shows real time again.',
  reset: 'All data was removed.',
  lifted: 'The fault was lifted.',
  fault: 'The fault is in force.',
  user: 'The user was created.',
  organization: 'The organization was created.',
  membership: 'The member was added.',
  invitation: 'The invitation was sent. Its mail is in Mail.',
  resent: 'The delivery is sent again.',
  brand: 'The brand was changed.',
  reported: 'The report was sent to the service.',
};

const seconds = z.object({ seconds: z.coerce.number() }).transform((form) => ({ advance_seconds: form.seconds }));

/** The fields that were filled in. */
const filled = (fields: Fields, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])));

/** The forms of the pages, by the last segment of their address `/_local/actions/…`. Those that make records call the API. */
export function makeActs(controls: Controls, api: OwnApi): Readonly<Record<string, Act>> {
  const create = async (path: string, body: object, done: string): Promise<FormResult> => {
    const { ok, error } = await api('POST', path, body);
    return ok ? { location: `/_local/people?done=${done}` } : { again: 'people', alert: error };
  };
  return {
    advance: async (fields) => {
      const wanted = seconds.pipe(Advance).safeParse(fields);
      if (!wanted.success) return { again: 'start', alert: z.prettifyError(wanted.error) };
      await controls.advance(wanted.data.advance_seconds);
      return { location: '/_local?done=advanced' };
    },
    'real-time': async () => {
      await controls.returnToRealTime();
      return { location: '/_local?done=real-time' };
    },
    reset: async () => {
      await controls.reset([]);
      return { location: '/_local?done=reset' };
    },
    fault: async (fields) => {
      const wanted = readFault(fields);
      if (!wanted.success) return { again: 'faults', alert: z.prettifyError(wanted.error) };
      await controls.addFault(wanted.data);
      return { location: '/_local/faults?done=fault' };
    },
    lift: async ({ id }) => {
      await controls.clearFaults(id ?? '');
      return { location: '/_local/faults?done=lifted' };
    },
    user: (fields) => {
      const body = filled(fields, ['email', 'first_name', 'last_name', 'password']);
      const verified = { email_verified: fields.email_verified === 'true' };
      return create('/user_management/users', { ...body, ...verified }, 'user');
    },
    organization: (fields) => {
      const domain = fields.domain ? { domain_data: [{ domain: fields.domain, state: 'verified' }] } : {};
      return create('/organizations', { name: fields.name ?? '', ...domain }, 'organization');
    },
    membership: (fields) =>
      create(
        '/user_management/organization_memberships',
        filled(fields, ['user_id', 'organization_id', 'role_slug']),
        'membership',
      ),
    invitation: (fields) => {
      const body = { email: fields.invited ?? '', ...filled(fields, ['organization_id']) };
      return create('/user_management/invitations', body, 'invitation');
    },
    resend: async ({ endpoint = '', delivery = '' }) => {
      const path = `/x/webhook_endpoints/${encodeURIComponent(endpoint)}/deliveries/${encodeURIComponent(delivery)}/resend`;
      const { ok, error } = await api('POST', path, {});
      return ok ? { location: '/_local?show=deliveries&done=resent' } : { again: 'start', alert: error };
    },
    feedback: async ({ message = '', kind = '' }) => {
      const wanted = NewFeedback.safeParse({ message_id: message, kind });
      if (!wanted.success) return { again: 'start', alert: z.prettifyError(wanted.error) };
      if (!(await controls.report(wanted.data)))
        return { again: 'start', alert: 'No mail was captured under this id.' };
      return { location: `/_local/mail/${encodeURIComponent(message)}?done=reported` };
    },
    brand: async (fields) => {
      const { body: current } = await api('GET', '/x/pages/settings');
      return afterBrand(fields, await api('PUT', '/x/pages/settings', applyEntered(current as object, fields)));
    },
    'brand-style': async (fields) => afterBrand(fields, await api('PUT', '/x/pages/style', { css: fields.css ?? '' })),
    'brand-texts': async (fields) => {
      const texts = parseTexts(fields.texts ?? '');
      if (texts === undefined) return { again: 'brand', alert: 'The texts are not a JSON object of languages.' };
      const { body: current } = await api('GET', '/x/pages/settings');
      return afterBrand(fields, await api('PUT', '/x/pages/settings', { ...(current as object), texts }));
    },
    'brand-captcha': async (fields) => {
      if (!fields.provider) return afterBrand(fields, await api('DELETE', '/x/pages/captcha'));
      const body = {
        fail_open: fields.fail_open === 'true',
        ...filled(fields, ['provider', 'site_key', 'secret_key']),
      };
      return afterBrand(fields, await api('PUT', '/x/pages/captcha', body));
    },
    'sign-in': async ({ email = '' }) => signInAs(controls, email),
  };
}

/** The brand page after one of its forms, with the error and the entered values if the API has rejected it. */
function afterBrand(fields: Fields, { ok, error }: OwnReply): FormResult {
  if (!ok) return { again: 'brand', alert: error };
  const query = new URLSearchParams({ ...filled(fields, ['show', 'locale']), done: 'brand' });
  return { location: `/_local/brand?${query.toString()}` };
}

function readFault(fields: Fields) {
  const operations = (fields.operations ?? '').split(',').map((name) => name.trim());
  const number = (name: string) => (fields[name] ? { [name]: Number(fields[name]) } : {});
  return NewFault.safeParse({
    ...filled(fields, ['target', 'kind']),
    ...(operations.some((name) => name !== '') && { operations: operations.filter((name) => name !== '') }),
    ...number('count'),
    ...number('probability'),
    ...number('delay_ms'),
  });
}
