/** The pages' one style sheet: system fonts, light and dark, nothing loaded from elsewhere. */
export const STYLE = `
:root { color-scheme: light dark; --line: #d8dce3; --soft: #f5f6f8; --muted: #4b5563; --link: #0b57d0; --page: #fff;
  --good: #0a6b33; --bad: #a8201a; --code: #f5f6f8; --head: 3.6rem; }
@media (prefers-color-scheme: dark) {
  :root:not([data-scheme=light]) { --line: #3a4048; --soft: #1e2227; --muted: #a9b1bd; --link: #8ab4f8; --page: #14171a;
    --good: #6dd58c; --bad: #ff8a80; --code: #1b1f24; }
}
:root[data-scheme=light] { color-scheme: light; }
:root[data-scheme=dark] { color-scheme: dark; --line: #3a4048; --soft: #1e2227; --muted: #a9b1bd; --link: #8ab4f8;
  --page: #14171a; --good: #6dd58c; --bad: #ff8a80; --code: #1b1f24; }
* { box-sizing: border-box; min-width: 0; }
html { scroll-padding-top: calc(var(--head) + 1rem); }
body { margin: 0; background: var(--page); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
a { color: var(--link); }
a:focus-visible, input:focus-visible, button:focus-visible, summary:focus-visible, [tabindex]:focus-visible,
textarea:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; z-index: 9; background: var(--page); padding: .5rem 1rem; }
.top { position: sticky; top: 0; z-index: 5; display: flex; gap: .5rem 1rem; align-items: center; min-height: var(--head);
  padding: .5rem 1.25rem; background: var(--page); border-bottom: 1px solid var(--line); }
.top p { margin: 0; white-space: nowrap; font-weight: 650; }
.top p a { color: inherit; text-decoration: none; }
.top form { position: relative; flex: 1; display: flex; gap: .5rem; max-width: 38rem; margin-inline: auto; }
input, textarea, select { font: inherit; color: inherit; background: var(--page); border: 1px solid var(--muted);
  border-radius: .4rem; padding: .4rem .6rem; width: 100%; }
button { font: inherit; font-size: .9rem; padding: .4rem .8rem; cursor: pointer; color: inherit; background: var(--soft);
  border: 1px solid var(--line); border-radius: .4rem; }
#results { position: absolute; top: 100%; left: 0; right: 0; margin: .3rem 0 0; padding: .3rem; max-height: 70vh;
  overflow-y: auto; list-style: none; background: var(--page); border: 1px solid var(--line); border-radius: .5rem;
  box-shadow: 0 .5rem 2rem #0003; }
#results a, .hits a { display: block; padding: .35rem .6rem; text-decoration: none; border-radius: .3rem; color: inherit; }
#results [aria-selected=true] a, #results a:hover { background: var(--soft); }
#results small, .hits small { display: block; color: var(--muted); }
.hits { list-style: none; padding: 0; }
.kind { font-size: .72rem; color: var(--muted); border: 1px solid var(--line); border-radius: 1rem; padding: 0 .5rem; }
.sheet { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 96rem; margin: 0 auto; }
.rail { position: sticky; top: var(--head); align-self: start; height: calc(100vh - var(--head)); overflow-y: auto;
  padding: 1rem .5rem 3rem 1.25rem; border-right: 1px solid var(--line); font-size: .92rem; }
.rail h2 { font-size: .78rem; text-transform: uppercase; letter-spacing: .04em; color: var(--muted); margin: 1.2rem 0 .3rem; }
.rail ul { list-style: none; margin: 0; padding-left: .8rem; }
.rail > ul { padding-left: 0; }
.rail a { display: block; padding: .2rem .4rem; color: inherit; text-decoration: none; border-radius: .3rem; }
.rail a:hover { background: var(--soft); }
.rail a[aria-current] { background: var(--soft); font-weight: 650; color: var(--link); }
.rail summary { padding: .2rem 0; cursor: pointer; }
.rail .close, .top .menu { display: none; }
main { padding: 1.5rem 2rem 5rem; }
h1 { margin: .3rem 0 1rem; line-height: 1.25; }
h2, h3 { line-height: 1.3; }
h2 a.anchor, h3 a.anchor, h4 a.anchor { text-decoration: none; color: var(--muted); font-weight: 400; }
.crumbs { font-size: .9rem; color: var(--muted); }
.tools { display: flex; flex-wrap: wrap; gap: .5rem 1rem; font-size: .9rem; }
ul.operations { list-style: none; padding: 0; }
ul.operations li { padding: .25rem 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); gap: 1rem; padding: 0;
  list-style: none; }
.cards > li { border: 1px solid var(--line); border-radius: .6rem; padding: .8rem 1rem; }
.cards p { margin: .2rem 0 0; color: var(--muted); font-size: .92rem; }
.cards ul { list-style: none; margin: .4rem 0 0; padding: 0; font-size: .92rem; }
.operation { border-top: 1px solid var(--line); padding: .5rem 0 1.5rem; }
.operation > h2 { margin-bottom: .2rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .88em; }
code { overflow-wrap: anywhere; }
pre { margin: 0; background: var(--code); border: 1px solid var(--line); border-radius: 0 0 .5rem .5rem; padding: .75rem;
  overflow-x: auto; max-height: 34rem; }
pre code { overflow-wrap: normal; }
main > .guide pre { border-radius: .5rem; margin: 1rem 0; }
.method { font-weight: 700; font-family: ui-monospace, monospace; font-size: .82em; }
.badge { border: 1px solid var(--line); border-radius: 1rem; padding: .05rem .6rem; font-size: .8rem; }
.muted { color: var(--muted); }
.fields { list-style: none; margin: .3rem 0 1rem; padding: 0; }
.fields > li { border-top: 1px solid var(--line); padding: .5rem 0; }
.fields p { margin: .2rem 0 0; }
.fields .type { color: var(--muted); font-size: .9em; }
.fields .required { color: var(--bad); font-size: .85em; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; }
th, td { border-top: 1px solid var(--line); padding: .35rem .8rem .35rem 0; text-align: left; vertical-align: top; }
.example { margin: 0 0 1rem; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: .2rem; border: 1px solid var(--line); border-bottom: 0;
  border-radius: .5rem .5rem 0 0; padding: .25rem .5rem; background: var(--soft); font-size: .85rem; }
.bar button { border: 0; background: none; padding: .2rem .5rem; font-size: .85rem; }
.bar button[aria-selected=true] { background: var(--page); font-weight: 650; border-radius: .3rem; }
.bar .copy { margin-left: auto; }
.bar .title { font-weight: 650; }
.try label { display: block; margin: .5rem 0; font-size: .9rem; }
.try textarea { font-family: ui-monospace, monospace; font-size: .85rem; min-height: 8rem; }
.pager { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 1rem; border-top: 1px solid var(--line);
  padding-top: 1rem; margin-top: 2rem; }
@media (min-width: 80rem) {
  .operation .columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 28rem); gap: 2.5rem; }
  .operation aside { position: sticky; top: calc(var(--head) + 1rem); align-self: start; }
}
@media (max-width: 56rem) {
  .sheet { display: block; }
  .rail { display: none; }
  .rail:target { display: block; position: fixed; inset: 0; z-index: 8; height: auto; background: var(--page); border: 0; }
  .rail .close, .top .menu { display: inline-block; }
  main { padding: 1rem 1rem 4rem; }
  .top { padding: .5rem 1rem; flex-wrap: wrap; }
  .top form { flex-basis: 100%; }
  .top .wide { display: none; }
  h1 { font-size: 1.6rem; }
  html { scroll-padding-top: 7rem; }
  table.stacked thead { display: none; }
  table.stacked :is(tr, td, th) { display: block; border: 0; padding: 0; }
  table.stacked tr { border-top: 1px solid var(--line); padding: .5rem 0; }
}
`;
