"""Where a recorded answer of MindSpore is not ours, and why: it is wrong there, or unsafe.

Each row: the case, the reason, and words of our answer, which the test looks for. A case that is
listed is not asked a second time with fullgraph, but where only that differs.
"""

from typing import NamedTuple


class Difference(NamedTuple):
    """Why our answer is another one, and a part of it."""

    reason: str
    here: str


LOST = "a change is lost without a word"
STOPS = "it stops with an error of its own insides"

DIFFERENCES = {
    # values that are wrong there ------------------------------------------------------------------
    "is_of_two_tensors": Difference("`x is x` is False", '["bool", true]'),
    "tensor_in_a_list": Difference("`x[0] in [1.0, 5.0]` is False for 1.0", '["bool", true]'),
    "power_to_a_negative_number": Difference("`2**-1` is 0", '["float", 0.5]'),
    "f_string_with_a_format": Difference("what follows the colon is dropped", "03 2.500"),
    "f_string_of_a_tuple_of_one": Difference("a tuple of one is no tuple in text", "(3,)"),
    "too_many_to_take_apart": Difference("values beyond the names are dropped", "too many values"),
    "later_value_of_an_outer_name": Difference(
        "an inner function keeps what a name was when it was defined", "[4.0, 8.0, 12.0]"
    ),
    "value_read_from_outside_that_is_the_input eager": Difference(
        "the gradient of an inner function counts what it reads from outside too, if it is the "
        "tensor that is also its input, so a gradient inside a gradient is another one than in a "
        "graph",
        '["Tensor", "Float32", [], 2.0]',
    ),
    "optimizer_adagrad_as_it_is eager": Difference(
        "Adagrad(update_slots=False) adds to the sum of squares all the same", "0.10000000149011612"
    ),
    "optimizer_ftrl_costs eager": Difference(
        "where the sum is below zero, FTRL's l1 is subtracted that has to be added", "0.2136576920"
    ),
    "optimizer_adagrad_as_it_is graph mode": Difference(
        "Adagrad(update_slots=False) adds to the sum of squares all the same", "0.10000000149011612"
    ),
    "optimizer_ftrl_costs graph mode": Difference(
        "where the sum is below zero, FTRL's l1 is subtracted that has to be added", "0.2136576920"
    ),
    "prints_only fullgraph": Difference("a function that returns nothing gives ()", '["NoneType"'),
    "asserts_on_tensor fullgraph": Difference(
        "an AssertionError or KeyError becomes a RuntimeError", "AssertionError"
    ),
    # changes that are lost there ------------------------------------------------------------------
    "list_sorted": Difference(f"{LOST}: a.sort()", '[["int", 1], ["int", 2], ["int", 3]]'),
    "list_with_two_names": Difference(f"{LOST}: b = a; b.append(3)", '["int", 3]]], ["list"'),
    "dict_pop": Difference(f"{LOST}: d.pop('a')", '["dict", [[["str", "b"], ["int", 2]]]]'),
    "subtraction_in_place": Difference(f"{LOST}: b.sub_(2)", "[-1.0, 0.0, 1.0]"),
    "uses_global": Difference(f"{LOST}: global n; n = 2", "Unsupported statement 'Global'."),
    "reads_a_global_that_it_wrote": Difference(
        f"{LOST}: global n; n = 5; x * n", "Unsupported statement 'Global'."
    ),
    "augmented_with_another_dtype": Difference(
        "Int32 += 1.5 drops the fraction, in one of the two modes", '"Float32"'
    ),
    # crashes there --------------------------------------------------------------------------------
    "filter_by_a_tensor": Difference("it ends the process", "filter cannot choose by a tensor"),
    "raises_with_a_tensor": Difference("it does not come back", "x is"),
    "none_beside_a_tensor fullgraph": Difference(STOPS, '["NoneType", null]'),
    "functions_chosen_by_a_tensor": Difference(STOPS, "0.841470"),
    "option_infer_boost": Difference(STOPS, "[2.0, 3.0, 4.0]"),
    "texts_from_branches": Difference(STOPS, "They are built differently."),
    "concatenation_that_grows": Difference(STOPS, "Cannot join the return values"),
    # hooks and blocks -----------------------------------------------------------------------------
    "recompute_under_two_gradients eager": Difference(
        "the second derivative through a block that is run again is 0", "[4.0]"
    ),
    "set_train_after_compiling": Difference(f"{LOST}: set_train()", "[6.0]"),
    # the articles ---------------------------------------------------------------------------------
    "lambda_in_a_call": Difference("a lambda must have a line of its own", "[2.0, 4.0, 6.0]"),
    "device_set_after_something_ran": Difference(
        "a cell of a notebook that sets the device can be run once only", '["NoneType", null]'
    ),
}
