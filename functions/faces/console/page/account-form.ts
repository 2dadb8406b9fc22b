import { computeProof } from '../../../kernel/pages/form.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import type { Operator } from '../operator.ts';

/**
 * The form that leads to the operator's account page. It is no link, since the response makes the single-use link that carries the proof
 * of an operator who has signed in by a link.
 */
export const renderAccountForm = ({ binding }: Pick<Operator, 'binding'>): Html =>
  html`<form method="post" action="/console/account">
    <input type="hidden" name="proof" value="${computeProof({ value: binding, subject: 'account' })}" />
    <button type="submit" class="button">Password, passkeys and second factor</button>
  </form>`;
