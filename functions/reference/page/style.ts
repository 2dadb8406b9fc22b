/** The pages' one style sheet: system fonts, light and dark, nothing loaded from elsewhere. */
export const STYLE = `
:root { color-scheme: light dark; --line: #d0d5dd; --soft: #f5f6f8; --muted: #4b5563; --link: #0b57d0; }
@media (prefers-color-scheme: dark) {
  :root { --line: #3a4048; --soft: #1e2227; --muted: #a9b1bd; --link: #8ab4f8; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem 1.25rem 4rem; font: 1rem/1.5 system-ui, sans-serif; }
a { color: var(--link); }
a:focus-visible, input:focus-visible, button:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { position: static; }
header, .operation { border-bottom: 1px solid var(--line); padding-bottom: 1rem; }
form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
input[type=search] { flex: 1 1 16rem; max-width: 30rem; padding: .45rem .6rem; font: inherit; }
button { font: inherit; padding: .4rem .8rem; cursor: pointer; }
ul.operations { list-style: none; padding: 0; }
ul.operations li { padding: .15rem 0; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
pre { background: var(--soft); border: 1px solid var(--line); padding: .75rem; overflow-x: auto; }
.method { display: inline-block; min-width: 4.8rem; font-weight: 700; }
.badge { border: 1px solid var(--line); border-radius: 1rem; padding: .05rem .6rem; font-size: .8rem; }
.muted { color: var(--muted); }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { border-top: 1px solid var(--line); padding: .35rem .6rem .35rem 0; text-align: left; vertical-align: top; }
td p { margin: 0; }
.example { position: relative; }
.example button { position: absolute; top: .4rem; right: .4rem; font-size: .8rem; }
`;
