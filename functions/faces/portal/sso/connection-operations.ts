import { type Html, html } from '../../../kernel/pages/html.ts';
import type { Content } from '../../../kernel/pages/layout.ts';
import { type Outcome, portalPage, type PortalPage, type Sent } from '../page/page-operations.ts';
import { missingPage, type Visit } from '../session/visit.ts';
import { changeAttributes, changeRoles, showAttributes, showRoles } from './attributes.ts';
import { configure, showConfiguration } from './configuration.ts';
import { type ConnectionView, findConnection, nameProvider, renderState } from './connection.ts';
import { changeKeys, showKeys } from './keys.ts';
import { showTest, switchOrTest } from './test-sign-in.ts';

/** A step of a connection's set-up. */
interface Step {
  show: (visit: Visit, connection: ConnectionView, sent: Sent) => Promise<Partial<Content> & { body: Html }>;
  act: (visit: Visit, connection: ConnectionView, sent: Sent) => Promise<Outcome>;
}

const STEPS = {
  configure: { show: showConfiguration, act: configure },
  attributes: { show: showAttributes, act: changeAttributes },
  roles: { show: showRoles, act: changeRoles },
  keys: { show: showKeys, act: changeKeys },
  test: { show: showTest, act: switchOrTest },
} satisfies Record<string, Step>;

type StepName = keyof typeof STEPS;
const NAMES = Object.keys(STEPS) as StepName[];

function readStep(visit: Visit): StepName {
  const { step = '' } = visit.params;
  if (!Object.hasOwn(STEPS, step)) throw missingPage(visit);
  return step as StepName;
}

const renderSteps = ({ translate, path }: Visit, { id, saml_options }: ConnectionView, current: StepName): Html =>
  html`<ol class="tabs">
    ${NAMES.filter((name) => name !== 'keys' || saml_options !== null).map(
      (name) =>
        html`<li>
          ${
            name === current
              ? html`<b aria-current="step">${translate(`step.${name}`)}</b>`
              : html`<a href="${path(`sso/${id}/${name}`)}">${translate(`step.${name}`)}</a>`
          }
        </li>`,
    )}
  </ol>`;

/** The page of a connection at one of its steps. */
async function show(visit: Visit, sent: Sent = {}): Promise<Content> {
  const step = readStep(visit);
  const connection = await findConnection(visit, visit.params.connection_id ?? '');
  const { body, ...content } = await STEPS[step].show(visit, connection, sent);
  const done = visit.query.get('done') === 'saved';
  return {
    title: `${nameProvider(connection)}: ${visit.translate(`step.${step}`)}`,
    notice: done ? visit.translate('form.saved') : undefined,
    ...content,
    body: html`<p>${renderState(visit, connection.state)}</p>
      ${renderSteps(visit, connection, step)} ${body}
      <p class="under"><a href="${visit.path('sso')}">${visit.translate('sso.all')}</a></p>`,
  };
}

export const connectionPage: PortalPage = {
  name: 'connection',
  path: 'sso/{connection_id}/{step}',
  summary: 'A step of the set-up of a connection: configure, attributes, roles, keys or test',
  intents: ['sso'],
  show,
  async act(visit, sent) {
    const step = readStep(visit);
    return STEPS[step].act(visit, await findConnection(visit, visit.params.connection_id ?? ''), sent);
  },
};

export const connectionOperations = portalPage(connectionPage);
