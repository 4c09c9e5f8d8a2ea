// A webpack loader that lets the minifier drop the components of a package that nothing uses. Their names for developers' tools
// are assignments, and the calls that create them are not marked as free of effects, so each would be a part of the bundle.
export default function droppableComponents(source) {
  return source
    .replace(/^\w+\.displayName = "\w+";$/gm, '')
    .replace(/^(?:var|const) \w+ = (?=React\d*\.(?:forwardRef|createContext|memo)\()/gm, '$&/* @__PURE__ */ ');
}
