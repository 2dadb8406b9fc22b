import { type Html, html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call, type Part } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { choiceField, given, givenLines, linesField, textField } from '../view/fields.ts';
import { showOnce } from '../view/once.ts';
import { frame, members } from '../view/parts.ts';
import { when } from '../view/values.ts';
import type { Removal } from '../view/removal.ts';

/** An endpoint of webhooks or actions with its signing secret. */
interface Signed {
  id: string;
  secret: string;
  next_secret?: string | null;
  next_secret_at?: string | null;
}

type Resource = 'webhook_endpoints' | 'action_endpoints';

const FOLDERS = { webhook_endpoints: 'webhooks', action_endpoints: 'actions' } as const;

const showSecret =
  (resource: Resource) =>
  (body: unknown, _: unknown, visit: Visit): Html => {
    const { id, secret } = body as Signed;
    const address = addressIn(visit, FOLDERS[resource], id);
    return showOnce('The signing secret', secret, html`<p><a href="${address}">The endpoint</a></p>`);
  };

export const createWebhook: Act = {
  name: 'create-webhook',
  label: 'Add an endpoint',
  operation: 'webhook_endpoints.create',
  call: ({ url = '', events }) =>
    call('webhook_endpoints.create', {}, {}, { endpoint_url: url.trim(), events: givenLines(events) ?? [] }),
  done: 'The endpoint is added.',
  show: showSecret('webhook_endpoints'),
};

/** The form that makes an endpoint of webhooks. */
export const renderWebhookCreation = (visit: Visit): Html | undefined =>
  renderAct(visit, createWebhook, {
    fields: {},
    effect: 'New events are sent to the endpoint from then on. Its signing secret is shown once.',
    more: (kept) =>
      html`${textField(kept, { name: 'url', label: 'Address', isRequired: true, most: 2_048, hint: 'https://app.example/webhooks' })}
      ${linesField(kept, { name: 'events', label: 'Events, one a line', isRequired: true, most: 20_000, hint: 'user.created' })}`,
  });

export const createAction: Act = {
  name: 'create-action',
  label: 'Add an endpoint',
  operation: 'action_endpoints.create',
  call: ({ url = '', type, failure }) =>
    call('action_endpoints.create', {}, {}, { endpoint_url: url.trim(), type, on_failure: given(failure) }),
  done: 'The endpoint is added.',
  show: showSecret('action_endpoints'),
};

/** The form that makes an endpoint of actions. */
export const renderActionCreation = (visit: Visit): Html | undefined =>
  renderAct(visit, createAction, {
    fields: {},
    effect: 'The endpoint decides about each sign-in or registration from then on. Its signing secret is shown once.',
    more: (kept) =>
      html`${textField(kept, { name: 'url', label: 'Address', isRequired: true, most: 2_048, hint: 'https://app.example/actions' })}
      ${choiceField(kept, { name: 'type', label: 'It decides about', options: { authentication: 'Sign-ins', user_registration: 'Registrations' } })}
      ${choiceField(kept, { name: 'failure', label: 'If it does not respond', options: { deny: 'Deny', allow: 'Allow' } })}`,
  });

/** Asks an endpoint of actions about a sample, which changes nothing. */
export const testAction: Act = {
  name: 'test-action',
  label: 'Test',
  operation: 'action_endpoints.test',
  call: (_, { params: { id } }) => call('action_endpoints.test', { id }),
  done: 'The endpoint was asked about ada@example.com.',
  show: (body) => frame('Result of the test', html`<div class="pad">${members(body)}</div>`),
};

/** The acts of an endpoint's page on its signing secret, and apart from them its deletion. */
export function endpointActs(resource: Resource): {
  acts: Act[];
  render: (visit: Visit, endpoint: Part<unknown>) => Html | undefined;
  removal: Removal;
} {
  const ofPage = ({ params: { id } }: Visit) => ({ id });
  const rotate: Act = {
    name: `${resource}-rotate`,
    label: 'Rotate the signing secret',
    operation: `${resource}.rotate_secret`,
    call: ({ hours }, visit) =>
      call(`${resource}.rotate_secret`, ofPage(visit), {}, { overlap_hours: Number(hours ?? '24') }),
    done: 'The rotation has begun: both secrets are valid.',
    show: (body) => showOnce('The next signing secret', (body as Signed).next_secret ?? ''),
  };
  const promote: Act = {
    name: `${resource}-promote`,
    label: 'Use the next secret only',
    operation: `${resource}.promote_secret`,
    call: (_, visit) => call(`${resource}.promote_secret`, ofPage(visit)),
    done: 'The former signing secret is invalid.',
  };
  const remove: Act = {
    name: `${resource}-delete`,
    label: 'Delete the endpoint',
    operation: `${resource}.delete`,
    call: (_, visit) => call(`${resource}.delete`, ofPage(visit)),
    done: 'The endpoint is deleted.',
    next: (visit) => addressIn(visit, FOLDERS[resource]),
  };
  return {
    acts: [rotate, promote],
    render: (visit, endpoint) => {
      if (endpoint.state !== 'shown') return undefined;
      const { next_secret_at: end } = endpoint.value as Signed;
      const form =
        typeof end === 'string'
          ? html`<p>A rotation is in progress: the next secret takes the place of the former one at ${when(end)}.</p>
              ${renderAct(visit, promote, { fields: {}, effect: 'Requests are signed by the next secret only, at once. The receiver must accept it already.' })}`
          : renderAct(visit, rotate, {
              fields: {},
              effect: 'Makes the next signing secret, which is shown once. Both are valid for the chosen time.',
              more: (kept) =>
                choiceField(kept ?? { hours: '24' }, {
                  name: 'hours',
                  label: 'Both are valid for',
                  options: { 1: 'An hour', 24: 'A day', 168: 'A week' },
                }),
            });
      return form && frame('Signing secret', html`<div class="pad actions">${form}</div>`);
    },
    removal: {
      act: remove,
      name: (endpoint) => (endpoint as { endpoint_url: string }).endpoint_url,
      effect: (url) =>
        resource === 'webhook_endpoints'
          ? `No further event is sent to ${url}. What waits for it is dropped.`
          : `${url} is not asked any more: sign-ins and registrations go on without it.`,
    },
  };
}
