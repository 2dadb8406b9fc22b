import type { IncomingRequest } from '../../kernel/http/incoming-request.ts';
import { callOwnService } from '../../kernel/egress/own-service.ts';
import { Failure, general } from '../../kernel/errors.ts';
import { form, submit } from '../../kernel/pages/form.ts';
import { html } from '../../kernel/pages/html.ts';
import { grantFor, type Operator } from '../operator.ts';
import { consoleAddress, plainPage } from './plain.ts';

/** The errors of the pages. */
export const consolePageErrors = [] as const;

/** A request for a page. */
export interface Asked {
  method: 'GET' | 'POST';
  /** The path below `/console/`; empty for the start page. */
  path: string;
  request: IncomingRequest;
  form?: Readonly<Record<string, string>>;
}

/** Responds with a page of the console. @throws Failure 404 for a path that is no page of the operator's */
export async function respondWithPage(operator: Operator, { method, path }: Asked) {
  const [, environmentId] = /^e\/([^/]+)$/.exec(path) ?? [];
  if (method === 'GET' && path === '') return { status: 200 as const, ...(await startPage(operator)) };
  if (method === 'GET' && environmentId !== undefined)
    return { status: 200 as const, ...(await environmentPage(operator, environmentId)) };
  throw new Failure(general.noSuchRoute);
}

/** The environments of the stage, with what the operator may do in each. */
async function startPage(operator: Operator) {
  const binding = { value: operator.binding, subject: 'sign-out' };
  const rows = operator.environments.map(
    ({ name, id, permissions }) =>
      html`<li>
        <a href="${consoleAddress(`e/${id}`)}">${name}</a> <code>${id}</code><br />${[...permissions].join(', ')}
      </li>`,
  );
  return plainPage({
    title: 'Environments',
    lead: `You are signed in as ${operator.email}.`,
    body: html`<ul>
        ${rows}
      </ul>
      ${form(binding, consoleAddress('sign-out'), submit('Sign out'))}`,
  });
}

/** The newest organizations of an environment. */
async function environmentPage(operator: Operator, environmentId: string) {
  if (!operator.environments.some(({ id }) => id === environmentId)) throw new Failure(general.noSuchRoute);
  const token = await grantFor(operator, environmentId);
  const { status, body } = await callOwnService({ method: 'GET', path: '/organizations?limit=10', token });
  if (status === 403) throw new Failure(general.noSuchRoute);
  if (status !== 200) throw new Failure(general.unavailable, { retryAfter: 1 });
  const { data } = JSON.parse(Buffer.from(body).toString('utf8')) as { data: { id: string; name: string }[] };
  return plainPage({
    title: 'Organizations',
    lead: data.length === 0 ? 'There are no organizations yet.' : 'The newest organizations.',
    body: html`<ul>
      ${data.map(({ id, name }) => html`<li>${name} <code>${id}</code></li>`)}
    </ul>`,
  });
}
