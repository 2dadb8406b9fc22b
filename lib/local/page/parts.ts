import { type Html, html } from '../../../functions/kernel/pages/html.ts';
import type { Fault } from '../proxy/faults.ts';

/** A button that copies a text; it is shown by the script. */
export const copyButton = (text: string, what: string): Html =>
  html`<button class="copy" type="button" hidden data-copy="${text}" aria-label="${`Copy ${what}`}">Copy</button>`;

/** The time of day of an ISO 8601 time, in UTC. */
export const clockTime = (at: string): Html => html`<time datetime="${at}" title="${at}">${at.slice(11, 19)}</time>`;

const PRESETS: readonly (readonly [number, string])[] = [
  [60, '+1 minute'],
  [300, '+5 minutes'],
  [3_600, '+1 hour'],
  [86_400, '+1 day'],
  [2_592_000, '+30 days'],
];

/** The difference in words: `2 d 3 h 5 min`. */
function describeSeconds(seconds: number): string {
  const units: readonly (readonly [number, string])[] = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
    [1, 's'],
  ];
  let left = Math.round(seconds);
  const parts = units.flatMap(([size, unit]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? [] : [`${count} ${unit}`];
  });
  return parts.slice(0, 2).join(' ');
}

/** The clock, with the forms that move it. */
export const clockPart = (clockOffsetSeconds: number): Html =>
  html`<details class="clock" id="clock">
    <summary>
      <span class="label">Clock</span> <time data-offset="${clockOffsetSeconds}"></time>
      <b class="state ${clockOffsetSeconds > 0 && 'moved'}"
        >${clockOffsetSeconds > 0 ? `${describeSeconds(clockOffsetSeconds)} ahead` : 'real time'}</b
      >
    </summary>
    <div class="sheet">
      <form method="post" action="/_local/actions/advance">
        ${PRESETS.map(([seconds, label]) => html`<button name="seconds" value="${seconds}">${label}</button> `)}
      </form>
      <form method="post" action="/_local/actions/advance" class="inline">
        <label>Seconds <input name="seconds" type="number" min="1" max="3155760000" required /></label>
        <button>Advance</button>
      </form>
      ${
        clockOffsetSeconds > 0 &&
        html`<form method="post" action="/_local/actions/real-time"><button>Back to real time</button></form>
          <p class="hint">Records keep their times: what was made later expires later.</p>`
      }
      <p class="hint">Advancing also starts what has become due: schedules, retries, expiry.</p>
    </div>
  </details>`;

/** The active faults, each with its button. */
export const faultsPart = (faults: readonly Fault[]): Html =>
  html`<section id="faults" aria-labelledby="faults-title">
    <h2 id="faults-title">Faults in force</h2>
    ${
      faults.length === 0
        ? html`<p class="none">None: every dependency responds.</p>`
        : html`<ul class="rows">
            ${faults.map(
              (fault) =>
                html`<li>
                  <span
                    ><b>${fault.kind}</b> of <b>${fault.target}</b> ${describeFault(fault)} – met ${fault.met}
                    ${fault.met === 1 ? 'time' : 'times'}</span
                  >
                  <form method="post" action="/_local/actions/lift">
                    <button name="id" value="${fault.id}" aria-label="${`Lift ${fault.kind} of ${fault.target}`}">
                      Lift
                    </button>
                  </form>
                </li>`,
            )}
          </ul>`
    }
  </section>`;

const describeFault = ({ operations, count, probability, kind, delay_ms: delay }: Fault): string =>
  [
    operations?.join(', '),
    count !== undefined && `${count} times`,
    probability < 1 && `with probability ${probability}`,
    (kind === 'delay' || kind === 'stale_lists') && `by ${delay} ms`,
  ]
    .filter(Boolean)
    .join(', ');
