import { type Html, html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call, isMissing, type Part } from '../page/declare.ts';
import type { Visit } from '../page/visit.ts';
import { choiceField, given, secretField, textField } from '../view/fields.ts';
import { members, panel } from '../view/parts.ts';

/** The member that has the secret, by the system to which a stream sends; a stream of the first kind gets a secret from the API. */
const SECRETS = { GenericHttps: undefined, Datadog: 'api_key', Splunk: 'token', S3: 'secret_access_key' } as const;

const isKind = (text: string): text is keyof typeof SECRETS => Object.hasOwn(SECRETS, text);

const ofPage = ({ params: { id } }: Visit) => ({ id });

const putStream: Act = {
  name: 'put-stream',
  label: 'Set the log stream',
  operation: 'audit_logs.put_stream',
  call: ({ type = '', url, bucket, region, prefix, access_key_id: keyId, secret }, visit) => {
    const member = isKind(type) ? SECRETS[type] : undefined;
    const place =
      type === 'S3'
        ? { bucket: given(bucket), region: given(region), prefix: given(prefix), access_key_id: given(keyId) }
        : { url: given(url) };
    return call(
      'audit_logs.put_stream',
      ofPage(visit),
      {},
      {
        type,
        ...place,
        ...(member !== undefined && { [member]: given(secret) }),
      },
    );
  },
  done: 'The log stream is set. Its state is on this page.',
};

const deleteStream: Act = {
  name: 'delete-stream',
  label: 'Delete the log stream',
  operation: 'audit_logs.delete_stream',
  call: (_, visit) => call('audit_logs.delete_stream', ofPage(visit)),
  done: 'The log stream is deleted.',
};

/** The acts on the stream of an organization's audit log. */
export const streamActs: readonly Act[] = [putStream, deleteStream];

const renderForm = (visit: Visit): Html | undefined =>
  renderAct(visit, putStream, {
    fields: {},
    effect:
      'Sends the audit log of the organization to another system. It takes the place of a stream that is there, and continues at its position.',
    more: (kept) =>
      html`${choiceField(kept, { name: 'type', label: 'System', options: { GenericHttps: 'An HTTPS address', Datadog: 'Datadog', Splunk: 'Splunk', S3: 'S3' } })}
      ${textField(kept, { name: 'url', label: 'Address, except for S3', most: 2_048 })}
      ${textField(kept, { name: 'bucket', label: 'S3: bucket' })}
      ${textField(kept, { name: 'region', label: 'S3: region', hint: 'eu-central-1' })}
      ${textField(kept, { name: 'prefix', label: 'S3: prefix of the keys' })}
      ${textField(kept, { name: 'access_key_id', label: 'S3: access key id' })}
      ${secretField({ name: 'secret', label: 'API key, token or secret access key of the system, which no page shows again' })}`,
  });

/** The stream of an organization’s audit log with its forms. */
export const renderStream = (visit: Visit, part: Part<Record<string, unknown>>): Html | undefined => {
  const present: Part<Record<string, unknown> | undefined> = isMissing(part)
    ? { state: 'shown', value: undefined }
    : part;
  return panel(
    'Log stream',
    present,
    (value) =>
      html`${value === undefined ? html`<p class="out">No stream to another system.</p>` : html`<div class="pad">${members(value)}</div>`}
        <div class="pad">${renderForm(visit)}</div>
        ${
          value !== undefined &&
          html`<div class="pad">
            ${renderAct(visit, deleteStream, {
              fields: {},
              effect: 'No further event is sent to the other system.',
              look: 'danger',
              typed: String(value.destination),
            })}
          </div>`
        }`,
  );
};
