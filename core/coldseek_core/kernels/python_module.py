# pyright: basic, reportMissingTypeStubs=false
# llvmlite comes without types.
"""What makes a sealed library a Python extension module, so that kernels are called without ctypes: LLVM code.

ctypes costs a cold process more to import than everything else that coldseek takes from outside of itself. For each
kernel there is a function that takes its numbers from Python, lets go of the GIL unless the call is brief (BRIEF in
signatures.py), calls the kernel, and gives its result back. Only functions of Python's stable ABI are used
(https://docs.python.org/3/c-api/stable.html), all older than 3.12, so one library serves every CPython that has a GIL.
They are weak: the library can be loaded without Python.
"""

from typing import Any

from llvmlite import ir

from .levels import CPU_QUESTIONS
from .sealed_files import MODULE
from .signatures import BRIEF, SIGNATURES

PREFIX = "coldseek_"

_I8, _I32, _I64 = ir.IntType(8), ir.IntType(32), ir.IntType(64)
_ANY = _I8.as_pointer()
_METHOD = ir.LiteralStructType([_ANY, _ANY, _I32, _ANY])  # PyMethodDef
_METH_FASTCALL = 0x80
_BUFFER_BYTES = 80  # Py_buffer; its first field is where the buffer's bytes are
_TYPES = {"u32": _I32}  # all others are 64 bits: whole numbers and addresses


def python_module(machine: str) -> str:
    """The LLVM code of the module `coldseek_kernels`, with a function for each kernel, for each of the machine's
    CPU_QUESTIONS, and `address(buffer)`: where the buffer's bytes are.
    """
    module = ir.Module(MODULE)
    methods = {"address": _address_method(module)}
    for name, (result, arguments) in SIGNATURES.items():
        methods[name] = _method(module, name, PREFIX + name, result, arguments, BRIEF.get(name))
    for name, (symbol, result, arguments) in CPU_QUESTIONS[machine].items():
        methods[name] = _method(module, name, symbol, result, arguments)
    rows = [
        _METHOD([_text(module, name), function.bitcast(_ANY), _I32(_METH_FASTCALL), _ANY(None)])
        for name, function in methods.items()
    ]
    table = _constant(module, "methods", ir.ArrayType(_METHOD, len(rows) + 1)([*rows, _METHOD(None)]))
    _module_definition(module, table)
    return str(module)


def _module_definition(module: Any, methods: Any) -> None:
    """PyModuleDef (Include/moduleobject.h, after PyObject's count and type), and the function that Python looks for."""
    nothing = _ANY(None)
    fields = [
        *(_I64(1), nothing, nothing, _I64(0), nothing),  # base: references, type, init, index, copy
        *(_text(module, MODULE), nothing, _I64(0), methods.bitcast(_ANY)),  # name, doc, size of state, methods
        *(nothing, nothing, nothing, nothing),  # slots, traverse, clear, free
    ]
    definition = ir.Constant.literal_struct(fields)
    place = ir.GlobalVariable(module, definition.type, "definition")
    setattr(place, "initializer", definition)  # noqa: B010 - llvmlite says that it is None
    place.linkage = "internal"
    begin = ir.Function(module, ir.FunctionType(_ANY, []), f"PyInit_{MODULE}")
    builder = ir.IRBuilder(begin.append_basic_block())
    builder.ret(builder.call(_python(module, "PyModuleDef_Init", _ANY, _ANY), [place.bitcast(_ANY)]))


def _method(
    module: Any,
    name: str,
    symbol: str,
    result: str,
    arguments: tuple[str, ...],
    brief: "tuple[tuple[int, ...], int] | None" = None,
) -> Any:
    """A METH_FASTCALL function that calls `symbol` without the GIL, or with it where the call is `brief`."""
    types = [_TYPES.get(argument, _I64) for argument in arguments]
    target = ir.Function(module, ir.FunctionType(_TYPES.get(result, _I64), types), symbol)
    method, builder, given = _begin_method(module, name, len(arguments))
    values: list[Any] = []
    for value, kind in zip(given, types, strict=True):
        number = builder.call(_python(module, "PyLong_AsLongLong", _I64, _ANY), [value])
        with builder.if_then(builder.icmp_signed("==", number, _I64(-1)), likely=False):  # a number, or an error
            error = builder.call(_python(module, "PyErr_Occurred", _ANY), [])
            with builder.if_then(builder.icmp_unsigned("!=", error, _ANY(None))):
                builder.ret(_ANY(None))
        values.append(builder.trunc(number, kind) if kind is _I32 else number)
    if brief is not None:
        with builder.if_then(_is_brief(builder, values, *brief)):
            builder.ret(_python_number(module, builder, result, builder.call(target, values)))
    state = builder.call(_python(module, "PyEval_SaveThread", _ANY), [])
    found = builder.call(target, values)
    builder.call(_python(module, "PyEval_RestoreThread", ir.VoidType(), _ANY), [state])
    builder.ret(_python_number(module, builder, result, found))
    return method


def _is_brief(builder: Any, values: list[Any], places: tuple[int, ...], most: int) -> Any:
    work = values[places[0]]
    for place in places[1:]:
        work = builder.mul(work, values[place])
    return builder.icmp_unsigned("<=", work, _I64(most))


def _python_number(module: Any, builder: Any, result: str, found: Any) -> Any:
    if result.startswith("u"):
        wide = builder.zext(found, _I64) if found.type is _I32 else found
        return builder.call(_python(module, "PyLong_FromUnsignedLongLong", _ANY, _I64), [wide])
    return builder.call(_python(module, "PyLong_FromLongLong", _ANY, _I64), [found])


def _address_method(module: Any) -> Any:
    method, builder, (data,) = _begin_method(module, "address", 1)
    buffer = builder.alloca(_I64, _BUFFER_BYTES // 8)
    fill = _python(module, "PyObject_GetBuffer", _I32, _ANY, _ANY, _I32)
    failed = builder.call(fill, [data, builder.bitcast(buffer, _ANY), _I32(0)])
    with builder.if_then(builder.icmp_signed("!=", failed, _I32(0)), likely=False):
        builder.ret(_ANY(None))
    address = builder.load(buffer)
    builder.call(_python(module, "PyBuffer_Release", ir.VoidType(), _ANY), [builder.bitcast(buffer, _ANY)])
    builder.ret(builder.call(_python(module, "PyLong_FromLongLong", _ANY, _I64), [address]))
    return method


def _begin_method(module: Any, name: str, count: int) -> tuple[Any, Any, list[Any]]:
    """A function, a builder behind its check that it is given `count` arguments, and these."""
    kind = ir.FunctionType(_ANY, [_ANY, _ANY.as_pointer(), _I64])
    method = ir.Function(module, kind, f"python_{name}")
    method.linkage = "internal"
    builder = ir.IRBuilder(method.append_basic_block())
    with builder.if_then(builder.icmp_signed("!=", method.args[2], _I64(count)), likely=False):
        builder.call(_python(module, "PyErr_BadArgument", _I32), [])
        builder.ret(_ANY(None))
    given = [builder.load(builder.gep(method.args[1], [_I64(place)])) for place in range(count)]
    return method, builder, given


def _python(module: Any, name: str, result: Any, *arguments: Any) -> Any:
    """A function of Python's stable ABI."""
    if name in module.globals:
        return module.globals[name]
    function = ir.Function(module, ir.FunctionType(result, arguments), name)
    function.linkage = "extern_weak"
    return function


def _text(module: Any, text: str) -> Any:
    data = bytearray(text.encode("ascii") + b"\0")
    return _constant(module, f"text_{text}", ir.ArrayType(_I8, len(data))(data)).bitcast(_ANY)


def _constant(module: Any, name: str, value: Any) -> Any:
    place = ir.GlobalVariable(module, value.type, name)
    place.initializer = value
    place.linkage = "internal"
    place.global_constant = True
    return place
