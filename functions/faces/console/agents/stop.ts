import { type Html, html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call, isMissing, type Part } from '../page/declare.ts';
import type { Visit } from '../page/visit.ts';
import { facts, frame } from '../view/parts.ts';
import { state, when } from '../view/values.ts';

/** The stop of the agents of the environment or of a blueprint, in responses of the API. */
export interface Stop {
  reason: string;
  stopped_at: string;
  lifted_at: string | null;
}

/** The agents that are stopped: all, or those of one blueprint. */
type StopTarget = { target: 'environment' } | { target: 'agent_blueprint'; target_id: string };

/** The target of the page: the blueprint that it shows, else the environment. */
const findTarget = ({ params: { agent_blueprint_id: id } }: Visit): StopTarget =>
  id === undefined ? { target: 'environment' } : { target: 'agent_blueprint', target_id: id };

export const stopAgents: Act = {
  name: 'stop-agents',
  label: 'Stop agents',
  operation: 'agent_stops.create',
  call: ({ reason }, visit) => call('agent_stops.create', {}, {}, { ...findTarget(visit), reason }),
  done: 'The agents are stopped: their sessions are invalid, and no new ones can be opened.',
};

export const liftStop: Act = {
  name: 'lift-stop',
  label: 'Lift the stop',
  operation: 'agent_stops.lift',
  call: (_, visit) => call('agent_stops.lift', {}, {}, { ...findTarget(visit) }),
  done: 'The stop is lifted: agents can open new sessions.',
};

/** The call that reads the stop of a page's target. */
export const findStop = (visit: Visit) => call<Stop>('agent_stops.get', {}, { ...findTarget(visit) });

/** The stop of agents with the form that makes or lifts it. */
export function renderStop(visit: Visit, part: Part<Stop>, what: string): Html | undefined {
  if (part.state === 'absent') return undefined;
  if (part.state === 'left_out' && !isMissing(part)) return frame('Stop', html`<p class="out">${part.sentence}</p>`);
  const stop = part.state === 'shown' ? part.value : undefined;
  const isStopped = stop !== undefined && stop.lifted_at === null;
  return frame(
    'Stop',
    html`${
        stop === undefined
          ? html`<p class="empty">${what} were never stopped.</p>`
          : facts([
              ['State', isStopped ? state('stopped', 'bad') : state('running', 'good')],
              ['Reason', stop.reason],
              ['Stopped', when(stop.stopped_at)],
              ['Lifted', when(stop.lifted_at)],
            ])
      }
      <div class="pad actions">
        ${
          isStopped
            ? renderAct(visit, liftStop, {
                fields: {},
                effect: `${what} can open sessions again. Sessions from before stay invalid.`,
              })
            : renderAct(visit, stopAgents, {
                fields: {},
                effect: `Ends all sessions of ${what.charAt(0).toLowerCase()}${what.slice(1)} now, and rejects new ones until the stop is lifted.`,
                look: 'danger',
              })
        }
      </div>`,
  );
}
