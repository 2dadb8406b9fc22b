import { type Html, html } from '../../../kernel/pages/html.ts';
import type { ModelPlan } from '../../../tenancy/roles/public.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call, type Sent } from '../page/declare.ts';
import type { Visit } from '../page/visit.ts';
import { readDocument, renderDocumentForm } from '../view/document.ts';
import { empty, frame, tableOr } from '../view/parts.ts';
import { state, tags } from '../view/values.ts';

const LOOKS = { create: 'good', update: 'wait', delete: 'bad' } as const;

/** The longest document in a form, in characters. */
const LONGEST = 200_000;

/** The document without the members of a response. */
function readModel(sent: Sent): object | string {
  const value = readDocument(sent.model);
  if (typeof value === 'string') return value;
  const { object: _object, version: _version, ...model } = value as Record<string, unknown>;
  return model;
}

export const planModel: Act = {
  name: 'plan-model',
  label: 'Plan',
  operation: 'authorization_model.put',
  call: (sent) => call('authorization_model.put', {}, { dry_run: 'true' }, readModel(sent)),
  done: 'Nothing was changed. This is the plan.',
  show: (body, sent, visit) => renderPlan(visit, body as ModelPlan, sent),
};

export const applyModel: Act = {
  name: 'apply-model',
  label: 'Apply',
  operation: 'authorization_model.put',
  call: (sent) => {
    const model = readModel(sent);
    const version = Number(sent.version);
    return call('authorization_model.put', {}, {}, typeof model === 'string' ? model : { ...model, version });
  },
  done: 'The model is applied.',
};

/** The form with the model as a document, whose plan is shown before it is applied. */
export const renderPlanForm = (visit: Visit, model: object): Html | undefined =>
  renderDocumentForm(visit, planModel, model, {
    title: 'Change the model',
    effect: 'Shows what this document would change, and who gains and loses which permissions. It changes nothing.',
    name: 'model',
    label: 'Model as JSON',
    rows: 16,
    longest: LONGEST,
  });

function renderPlan(visit: Visit, { version, changes, effects }: ModelPlan, { model = '' }: Sent): Html {
  if (changes.length === 0) return frame('Plan', empty('The document is the same as the model: no changes.'));
  return frame(
    'Plan',
    html`${tableOr(
        'Changes',
        [
          { title: 'Change', cell: (each) => state(each.action, LOOKS[each.action]) },
          { title: 'Kind', cell: (each) => each.kind.replaceAll('_', ' ') },
          { title: 'Slug', cell: (each) => html`<code>${each.slug}</code>` },
        ],
        changes,
        '',
      )}
      ${tableOr(
        'Who gains and loses',
        [
          { title: 'Role', cell: (each) => each.role },
          {
            title: 'Assigned to',
            cell: (each) =>
              `${each.is_exact ? '' : 'more than '}${each.memberships} memberships and ${each.groups} groups`,
          },
          { title: 'Gains', cell: (each) => tags(each.gained) },
          { title: 'Loses', cell: (each) => tags(each.lost) },
        ],
        effects,
        'No role that is assigned gains or loses a permission.',
      )}
      <div class="pad">
        ${renderAct(visit, applyModel, {
          fields: { model, version: String(version) },
          effect: `Makes these changes if the model is still at version ${version}.`,
          look: 'danger',
        })}
      </div>`,
  );
}
