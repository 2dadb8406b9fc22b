import { type Html, html } from '../../../kernel/pages/html.ts';
import { type Act, call, type Heading, type Part } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { avatar, code, personName, state } from '../view/values.ts';
import type { User } from './types.ts';

/** The heading of the pages of one user. */
export function userHeading(user: Part<User>): Heading | undefined {
  if (user.state !== 'shown') return undefined;
  const { value } = user;
  return {
    title: personName(value),
    mark: avatar(personName(value), true),
    lead: html`<span>${value.email}</span>${state(value.email_verified ? 'verified' : 'unverified')}${code(value.id)}`,
  };
}

const TABS = [
  ['', 'Account'],
  ['sign-in', 'Sign-in problems'],
  ['timeline', 'Timeline'],
  ['access', 'Access'],
  ['at', 'At a time in the past'],
] as const;

/** The tab of the page that only operators with its permission have. */
const IMPERSONATE = ['impersonate', 'Act as the user'] as const;

/** The links between the pages of one user. */
export function userTabs(visit: Visit): Html {
  const { id = '' } = visit.params;
  const mayImpersonate = visit.environment?.permissions.has('people.impersonate') === true;
  return html`<ul class="tabs">
    ${[...TABS, ...(mayImpersonate ? [IMPERSONATE] : [])].map(([segment, title]) => {
      const segments = segment === '' ? ['users', id] : ['users', id, segment];
      const isCurrent = visit.path.split('/').length === segments.length + 2 && visit.path.endsWith(segment || id);
      return html`<li>
        <a href="${addressIn(visit, ...segments)}" ${isCurrent && html`aria-current="page"`}>${title}</a>
      </li>`;
    })}
  </ul>`;
}

/** Mails a code to the unverified address of the user of the page. */
export const sendVerification: Act = {
  name: 'send-verification',
  label: 'Send verification mail',
  operation: 'email_verification.send',
  call: (_, { params }) => call('email_verification.send', { id: params.id }),
  done: 'The verification mail is on its way. Its code is valid for ten minutes.',
};
