// JupyterLab has keys of its own: d d deletes a cell. Inside `root` they rest; those with Ctrl or
// Cmd, and Shift+Enter, stay Jupyter's: a learner saves and runs on from everywhere. A click beside
// the controls keeps the keyboard here.
function quiet(root) {
  if (!root.hasAttribute("tabindex")) root.tabIndex = -1;
  const rest = ({ target }) => { target.dataset.lmSuppressShortcuts = "true"; };
  const wake = ({ target }) => {
    for (let each = target; each && root.contains(each); each = each.parentElement) {
      delete each.dataset.lmSuppressShortcuts;
    }
  };
  root.addEventListener("focusin", rest);
  root.addEventListener("keydown", (event) => {
    const theirs = event.ctrlKey || event.metaKey || (event.shiftKey && event.key === "Enter");
    if (theirs) wake(event);
    else rest(event);
  }, true);
}
