// The groups of the workspace: brands that count as one.
import { get, patch, post, remove } from "../../api.js";
import { Confirmation } from "../../components/controls.js";
import { Empty, Failure } from "../../components/states.js";
import { Resource, useAction, useResource } from "../../resource.js";
import { useUnsaved } from "../../unsaved.js";
import { html, useState } from "../../view.js";

export function Groups({ entity, workspace }) {
  const groups = useResource((signal) => get("/domain-groups", {}, signal), []);
  const [opened, setOpened] = useState(null);
  const [dissolved, setDissolved] = useState(null);
  const action = useAction();
  const save = async (run) => { if (await action.run(run)) { setOpened(null); setDissolved(null); groups.reload(); } };
  const create = (body) => save(() => post("/domain-groups", body));
  const update = (group) => (body) => save(() => patch("/domain-groups", { groupId: group.id, ...body }));
  const form = (group, submit) => html`<${GroupForm} group=${group} entity=${entity} workspace=${workspace} action=${action} submit=${submit} close=${() => setOpened(null)} />`;
  return html`<section class="card"><header><h3>Groups</h3></header><p class="muted small">Brands of a group count as one. A brand is in one group at most.</p>
    <${Resource} of=${groups}>${({ data }) => html`${data.length === 0 && html`<${Empty}>There are no groups.<//>`}<ul class="stack">${data.map((group) => html`<li key=${group.id} class="stack">
      <div class="row"><strong>${group.name}</strong> <span class="muted">${group.entities.map((member) => member.name).join(", ")}</span>
        <button aria-expanded=${String(opened === group.id)} aria-label=${`Change the group ${group.name}`} onClick=${() => setOpened(opened === group.id ? null : group.id)}>Change</button>
        <button class="danger" aria-label=${`Dissolve the group ${group.name}`} onClick=${() => setDissolved(group)}>Dissolve</button></div>
      ${opened === group.id && form(group, update(group))}</li>`)}</ul>`}<//>
    ${workspace.entities.length > 1 && html`<div class="row"><button aria-expanded=${String(opened === "new")} onClick=${() => setOpened(opened === "new" ? null : "new")}>New group</button></div>`}
    ${opened === "new" && form(null, create)}
    ${dissolved && html`<${Confirmation} title=${`Dissolve ${dissolved.name}`} text="Its brands count for themselves again. No figure is lost." action=${action} confirm=${() => save(() => remove("/domain-groups", { groupId: dissolved.id }))} close=${() => setDissolved(null)} />`}</section>`;
}

/** The members of a group, the one that represents it, and its name. Without `group` it is a new one. */
function GroupForm({ group, entity, workspace, action, submit, close }) {
  const [first] = useState({ members: group ? group.entities.map((member) => member.entityUuid) : [entity.entityUuid], primary: group?.primaryEntityUuid ?? entity.entityUuid, name: group?.name ?? "" });
  const [members, setMembers] = useState(first.members);
  const [primary, setPrimary] = useState(first.primary);
  const [name, setName] = useState(first.name);
  useUnsaved(JSON.stringify({ members, primary, name }) !== JSON.stringify(first));
  // A group can have members that the workspace knows from answers alone.
  const known = new Map([...workspace.entities, ...(group?.entities ?? [])].map((brand) => [brand.entityUuid, brand]));
  const toggle = (uuid) => () => {
    const chosen = members.includes(uuid) ? members.filter((member) => member !== uuid) : [...members, uuid];
    setMembers(chosen);
    if (!chosen.includes(primary) && chosen.length > 0) setPrimary(chosen[0]);
  };
  const send = (event) => {
    event.preventDefault();
    submit({ entities: members, primaryEntity: primary, ...(name && name !== group?.name && { name }) });
  };
  return html`<form class="card" onSubmit=${send}>
    <fieldset class="card"><legend>Members</legend>${[...known.values()].map((brand) => html`<label key=${brand.entityUuid} class="check"><input type="checkbox" checked=${members.includes(brand.entityUuid)} onChange=${toggle(brand.entityUuid)} /> <span>${brand.name} <span class="muted small">${brand.target}</span></span></label>`)}</fieldset>
    <div class="columns">
      <label class="field"><span>Represented by</span><select value=${primary} onChange=${(event) => setPrimary(event.target.value)}>${members.map((uuid) => html`<option key=${uuid} value=${uuid}>${known.get(uuid).name}</option>`)}</select></label>
      <label class="field"><span>Name of the group</span><input maxlength="120" value=${name} onInput=${(event) => setName(event.target.value)} /><span class="hint">Empty for the name of the brand that represents it.</span></label></div>
    ${action.error && html`<${Failure} error=${action.error} />`}
    <div class="row"><button class="primary" disabled=${action.isRunning || members.length < 2}>Save the group</button><button type="button" onClick=${close}>Cancel</button>${members.length < 2 && html`<span class="muted small">A group has at least two members.</span>`}</div></form>`;
}
