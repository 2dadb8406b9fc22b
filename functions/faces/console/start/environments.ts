import { isOperatorsEnvironment } from '../../../kernel/authentication/environment-id.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { listPlaces, type Operator } from '../operator.ts';
import { renderAccountForm } from '../page/account-form.ts';
import { consolePage } from '../page/declare.ts';
import { colourDot } from '../page/layout.ts';
import { environmentAddress, type OperatorEnvironment } from '../page/visit.ts';
import { frame } from '../view/parts.ts';

/** The first page: the environments that the operator may see. */
export const environmentsPage = consolePage({
  path: '',
  title: 'Environments',
  permission: undefined,
  calls: () => ({}),
  view: (_, { operator }) => html`${renderEnvironments(operator)}${operator.isByLink && renderFirstSignIn(operator)}`,
});

const renderFirstSignIn = (operator: Operator): Html =>
  frame(
    'Signed in by a link',
    html`<div class="pad">
      <p>To sign in without a link, add a password or a passkey, and an authenticator app, on your account page.</p>
      ${renderAccountForm(operator)}
    </div>`,
  );

function renderEnvironments(operator: Operator): Html {
  const places = listPlaces(operator);
  return places.length === 0
    ? frame(
        'No environment',
        html`<p class="pad">You have no role in any environment of this stage. An owner can give you one.</p>`,
      )
    : html`<ul class="tiles">
        ${places.map(
          (environment) =>
            html`<li>
              <a class="tile" href="${environmentAddress(environment.id)}"
                ><strong>${colourDot(environment)}${environment.name}</strong>
                <p>${describe(environment)}</p>
                <p><code>${environment.id}</code></p></a
              >
            </li>`,
        )}
      </ul>`;
}

const describe = ({ id, isProduction }: OperatorEnvironment): string =>
  isOperatorsEnvironment(id)
    ? 'The people who use this console, their log, and the environments of the stage. It holds no customers.'
    : `${isProduction ? 'Production' : 'Not production'}: users and organizations of the application, its settings and events`;
