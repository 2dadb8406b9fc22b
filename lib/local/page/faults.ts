import { type Html, html } from '../../../functions/kernel/pages/html.ts';
import { dependencies } from '../proxy/dependency.ts';
import { type Fault, KINDS } from '../proxy/faults.ts';
import { faultsPart } from './parts.ts';

/** The effect of each kind, for the person who chooses one. */
const EFFECTS: Readonly<Record<(typeof KINDS)[number], string>> = {
  throttle: 'responds that there are too many calls',
  unavailable: 'responds that it is unavailable',
  refuse: 'responds that the call is not allowed',
  conflict: 'cancels writes because of a conflict (table)',
  delay: 'makes the call later',
  hold: 'makes the call when the fault is removed',
  lost_response: 'makes the call and cuts the connection before the response',
  partial: 'fails every other entry (bus)',
  stale_lists: 'lists lag behind (table)',
  late_expiry: 'keeps expired rows (table)',
};

/** The active faults, and the form for another one. */
export const faultsPage = (faults: readonly Fault[], entered: Readonly<Record<string, string>>): Html => {
  const option = (name: string, value: string, label: string): Html =>
    html`<option value="${value}" ${entered[name] === value && html`selected`}>${label}</option>`;
  return html`<h1>Faults</h1>
    <p class="lead">See how your application behaves when a part of the service fails.</p>
    ${faultsPart(faults)}
    <form class="card narrow" method="post" action="/_local/actions/fault">
      <h2>New fault</h2>
      <label
        >Dependency
        <select name="target">
          ${dependencies.map((name) => option('target', name, name))}
        </select></label
      >
      <label
        >Effect
        <select name="kind">
          ${KINDS.map((name) => option('kind', name, `${name}: ${EFFECTS[name]}`))}
        </select></label
      >
      <label
        >AWS operations, separated by commas (optional)
        <input
          name="operations"
          value="${entered.operations ?? ''}"
          placeholder="PutItem, TransactWriteItems"
          autocomplete="off"
      /></label>
      <div class="thirds">
        <label>Calls (optional) <input name="count" type="number" min="1" value="${entered.count ?? ''}" /></label>
        <label
          >Probability
          <input name="probability" type="number" min="0.01" max="1" step="0.01" value="${entered.probability ?? '1'}"
        /></label>
        <label
          >Delay in ms <input name="delay_ms" type="number" min="1" max="60000" value="${entered.delay_ms ?? '200'}"
        /></label>
      </div>
      <button class="main">Put it in force</button>
    </form>`;
};
