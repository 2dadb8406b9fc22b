/** The common rules of the pages: the environment's choices are in variables. */
export const STYLE = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;align-items:center;
justify-content:center;gap:1.25rem;padding:clamp(1rem,4vw,3rem) 1rem;background:var(--bg);color:var(--text);
font:1rem/1.55 var(--font);
background-image:radial-gradient(60rem 30rem at 50% -12rem,var(--accent-soft),transparent);background-repeat:no-repeat}
a{color:var(--link);text-underline-offset:.18em;text-decoration-thickness:.07em}
a:hover{text-decoration-thickness:.14em}
:focus-visible{outline:3px solid var(--ring);outline-offset:2px}
[tabindex="-1"]:focus{outline:none}
.skip{position:absolute;inset-inline-start:-999rem}
.skip:focus{inset-inline-start:1rem;top:1rem;padding:.5rem .9rem;background:var(--surface);border-radius:var(--radius)}
.card{width:100%;max-width:26.5rem;background:var(--surface);border:1px solid var(--line);
border-radius:calc(var(--radius)*1.6);padding:clamp(1.5rem,5vw,2.5rem);
box-shadow:0 1px 2px rgb(0 0 0/.04),0 12px 32px -12px rgb(0 0 0/.14)}
.brand{display:flex;align-items:center;gap:.65rem;margin:0 0 1.6rem;font-weight:650;font-size:1.02rem;
letter-spacing:-.01em;overflow-wrap:anywhere}
.brand img{display:block;max-height:2.5rem;max-width:13rem;object-fit:contain}
.mark{display:grid;place-items:center;flex:none;width:2.25rem;height:2.25rem;border-radius:calc(var(--radius)*.8);
background:var(--accent);color:var(--on-accent);font-weight:700;font-size:1.05rem}
[hidden]{display:none!important}
h1{margin:0;font-size:1.55rem;line-height:1.22;letter-spacing:-.02em;font-weight:680;overflow-wrap:anywhere;
hyphens:auto;hyphenate-limit-chars:14 5 5;text-wrap:balance}
.lead{margin:.5rem 0 0;color:var(--muted);overflow-wrap:anywhere}
form,.stack{display:grid;gap:1.05rem;margin-top:1.6rem}
.stack>form{margin-top:0}
.pair{display:grid;gap:1.05rem}
@media (min-width:26rem){.pair{grid-template-columns:1fr 1fr;gap:.8rem}}
.field{display:grid;gap:.35rem;min-width:0}
label,.label{font-weight:560;font-size:.935rem;overflow-wrap:anywhere}
label small{font-weight:400;color:var(--muted);font-size:.85rem}
.hint{margin:0;color:var(--muted);font-size:.86rem;line-height:1.45}
.wrong{margin:0;color:var(--danger);font-size:.9rem;font-weight:520;display:flex;gap:.4rem}
.wrong::before,.alert::before{content:"!";content:"!"/"";flex:none;display:inline-grid;place-items:center;width:1.15em;height:1.15em;
margin-top:.17em;border-radius:50%;background:currentColor;box-shadow:inset 0 0 0 1px currentColor;
color:inherit;font-size:.85em;font-weight:800;-webkit-text-fill-color:var(--surface)}
input:not([type=hidden]):not([type=checkbox]){width:100%;min-height:2.9rem;padding:.6rem .85rem;font:inherit;
color:inherit;background:var(--field);border:1px solid var(--control);border-radius:var(--radius)}
input:not([type=hidden]):focus-visible{outline:3px solid var(--ring);outline-offset:1px;border-color:transparent}
input[readonly]:not(.skip){background:transparent;color:var(--muted)}
input[aria-invalid=true]{border-color:var(--danger);border-width:2px}
input.code{font-size:1.45rem;letter-spacing:.32em;text-align:center;font-variant-numeric:tabular-nums;
font-family:ui-monospace,'Cascadia Code',Menlo,Consolas,'DejaVu Sans Mono',monospace;text-transform:uppercase}
.secret{position:relative;display:block}
.secret input{padding-inline-end:3.2rem!important}
.secret button{position:absolute;inset-block:0;inset-inline:auto 0;width:3rem;display:grid;place-items:center;padding:0;border:0;
background:none;color:var(--muted);cursor:pointer;border-radius:var(--radius)}
.secret svg{width:1.3rem;height:1.3rem}
.secret button[aria-pressed=false] .slash{display:none}
.button{display:flex;align-items:center;justify-content:center;gap:.65rem;width:100%;min-height:2.9rem;
padding:.6rem 1rem;font:inherit;font-weight:600;text-decoration:none;text-align:center;overflow-wrap:anywhere;cursor:pointer;
border:1px solid transparent;border-radius:var(--radius);background:var(--accent);color:var(--on-accent);
transition:background-color .12s}
.button:hover{background:var(--accent-strong)}
.button[aria-disabled=true]{opacity:.65;cursor:progress}
.button[aria-busy=true]::after{content:"";flex:none;width:1em;height:1em;border:.14em solid currentColor;
border-right-color:transparent;border-radius:50%;animation:turn .8s linear infinite}
@keyframes turn{to{transform:rotate(1turn)}}
.button:disabled{opacity:.65;cursor:default}
.typed.good{color:var(--success)}
.check{display:flex;gap:.65rem;align-items:flex-start;padding:.35rem 0;font-weight:400;cursor:pointer}
.check input{flex:none;width:1.25rem;height:1.25rem;margin:.1rem 0 0;accent-color:var(--link)}
.row a,.under a,.who a{display:inline-block;padding:.4rem 0}
.button.quiet{background:transparent;color:var(--text);border-color:var(--control)}
.button.quiet:hover{background:var(--accent-soft)}
.button svg{width:1.2rem;height:1.2rem;flex:none}
.captcha:empty{min-height:1px}
.captcha{max-width:100%;overflow:hidden}
.letter{flex:none;display:inline-grid;place-items:center;width:1.3rem;height:1.3rem;border:1px solid currentColor;border-radius:.35rem;
font-size:.78rem;font-weight:700;line-height:1}
.badge{flex:none;padding:.05rem .5rem;border-radius:1rem;background:var(--accent-soft);border:1px solid var(--line);color:var(--text);
font-size:.78rem;font-weight:560;line-height:1.5}
.languages{display:flex;flex-wrap:wrap;align-items:center;justify-content:center;gap:.5rem;margin:0;flex-basis:100%}
.languages label{font-weight:400;font-size:inherit}
.languages select{width:auto;min-height:2.75rem;padding:.3rem .6rem}
.languages .plain{min-height:2.75rem}
.plain{font:inherit;color:var(--link);background:none;border:0;padding:.25rem 0;cursor:pointer;text-decoration:underline;
text-underline-offset:.18em;text-decoration-thickness:.07em;text-align:start}
.row{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.35rem 1rem;align-items:baseline}
.row label{flex:1}
.small,.under{font-size:.93rem}
.under{margin:1.5rem 0 0;color:var(--muted);text-align:center}
.stack .under{margin-top:.3rem}
.or{display:flex;align-items:center;gap:.9rem;margin:0;color:var(--muted);font-size:.88rem}
.or::before,.or::after{content:"";flex:1;height:1px;background:var(--line)}
.alert,.notice{margin:1.3rem 0 0;padding:.75rem .9rem;border-radius:var(--radius);font-size:.95rem}
.alert{display:flex;gap:.6rem;background:var(--danger-soft);color:var(--danger);border:1px solid currentColor;font-weight:520}
.notice{background:var(--success-soft);color:var(--success);border:1px solid currentColor;font-weight:520}
.who{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.1rem 1rem;margin:1.2rem 0 0;padding:.6rem .9rem;
border:1px solid var(--line);border-radius:var(--radius);font-size:.94rem}
.who span{overflow-wrap:anywhere;min-width:0}
.qr{display:grid;place-items:center;margin:0}
.qr svg{width:13.5rem;max-width:100%;height:auto;padding:1.25rem;background:#fff;border-radius:var(--radius);border:1px solid var(--line)}
.alert+details{margin-top:1.1rem}
.actions+.hint{margin-top:.6rem}
details{border:1px solid var(--line);border-radius:var(--radius);padding:.6rem .9rem;font-size:.94rem}
summary{cursor:pointer;font-weight:560;padding:.25rem 0}
details p{margin:.6rem 0 .2rem;color:var(--muted)}
code{font-family:ui-monospace,'Cascadia Code',Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:.95rem;
overflow-wrap:anywhere;letter-spacing:.04em}
.choice{justify-content:space-between;text-align:start;font-weight:560}
.choice bdi{flex:1;min-width:0}
.mark.small{width:1.9rem;height:1.9rem;font-size:.9rem;font-style:normal}
.choice span{font-size:1.35rem;line-height:1;color:var(--muted)}
.facts{display:grid;gap:.55rem;margin:1.4rem 0 0;padding:.9rem 1rem;border:1px solid var(--line);
border-radius:var(--radius);font-size:.94rem}
.facts div{display:flex;flex-wrap:wrap;gap:0 .75rem}
.facts dt{flex:2 1 7.5rem;color:var(--muted)}
.warning{margin-top:1rem}
.facts dd{flex:3 1 8.5rem;min-width:0;margin:0;font-weight:560;overflow-wrap:anywhere}
.facts .big{font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:1.15rem;letter-spacing:.08em}
.sign{display:grid;place-items:center;width:3.25rem;height:3.25rem;margin:0 0 1.1rem;border-radius:50%;
background:var(--success-soft);color:var(--success)}
.sign.no{background:var(--danger-soft);color:var(--danger)}
.sign svg{width:1.7rem;height:1.7rem}
footer{display:flex;flex-wrap:wrap;justify-content:center;gap:.25rem 1.25rem;font-size:.88rem;color:var(--muted)}
footer a{color:inherit;display:inline-block;padding:.6rem 0}
.portal-nav a{display:inline-block;padding:.45rem 0}
.wide{max-width:46rem}
.wide h2{margin:2rem 0 0;font-size:1.15rem;line-height:1.3}
.wide p{overflow-wrap:anywhere}
.wide .facts dt{flex:1 1 9rem}
.wide .facts dd{flex:3 1 14rem}
.wide .facts code{font-size:.86rem;letter-spacing:0}
textarea,select{width:100%;min-height:2.9rem;padding:.6rem .85rem;font:inherit;color:inherit;background:var(--field);
border:1px solid var(--control);border-radius:var(--radius)}
textarea{min-height:8rem;font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:.86rem;resize:vertical}
textarea:focus-visible,select:focus-visible{outline:3px solid var(--ring);outline-offset:1px}
.copy{display:flex;flex-wrap:wrap;gap:.35rem .75rem;align-items:baseline;justify-content:space-between}
.copy code{flex:1 1 14rem;white-space:pre-wrap}
.tabs{display:flex;flex-wrap:wrap;gap:.35rem 1.25rem;margin:1.4rem 0 0;padding:0 0 .6rem;border-bottom:1px solid var(--line);list-style:none}
.tabs a,.tabs b{display:inline-block;padding:.25rem 0}
.steps{display:grid;gap:.9rem;margin:1.2rem 0 0;padding-left:1.4rem}
.steps li::marker{font-weight:650}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,11rem),1fr));gap:.6rem;margin-top:1.2rem}
.records{display:grid;gap:.9rem;margin:1.4rem 0 0;padding:0;list-style:none}
.records>li{padding:.9rem 1rem;border:1px solid var(--line);border-radius:var(--radius);min-width:0}
.records form,.actions form{margin-top:0}
.actions{display:flex;flex-wrap:wrap;gap:.6rem;margin-top:.9rem}
.actions .button{width:auto;min-height:2.6rem}
.state{display:inline-block;padding:.05rem .55rem;border:1px solid currentColor;border-radius:1rem;font-size:.84rem;font-weight:560;color:var(--muted)}
.state.good{color:var(--success)}
.state.bad{color:var(--danger)}
.portal-nav{display:flex;flex-wrap:wrap;gap:.4rem 1.25rem;justify-content:space-between;align-items:baseline;margin:2rem 0 0;
padding-top:1rem;border-top:1px solid var(--line);font-size:.93rem}
.portal-nav form{margin:0;display:inline}
@media (max-width:26rem){body{justify-content:flex-start;padding:0 0 1.25rem;background-image:none;background:var(--surface)}
.card{border:0;border-radius:0;box-shadow:none;padding-top:1.75rem}}
@media (prefers-reduced-motion:reduce){*{transition:none!important;animation:none!important}}
@media (forced-colors:active){.button,input,.card{border:1px solid}.wrong::before,.alert::before{display:none}}
`.replaceAll('\n', '');
