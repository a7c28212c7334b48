"""What belongs to training a module: how it begins, how it is held together, how sequences are packed for it."""

import torch.nn as nn
from torch.nn.utils import rnn


def begun(w):
    nn.init.kaiming_normal_(w)
    nn.init.kaiming_uniform_(w)
    nn.init.normal_(w)
    nn.init.orthogonal_(w)
    nn.init.sparse_(w)
    nn.init.trunc_normal_(w)
    nn.init.uniform_(w)
    nn.init.xavier_normal_(w)
    nn.init.xavier_uniform_(w)
    nn.init.constant_(w)
    nn.init.ones_(w)
    nn.init.zeros_(w)
    nn.init.eye_(w)
    nn.init.dirac_(w)
    nn.init.calculate_gain(w)
    return w


def kept(module, parameters):
    nn.utils.clip_grad_norm_(parameters)
    nn.utils.clip_grad_value_(parameters)
    nn.utils.clip_grads_with_norm_(parameters)
    nn.utils.clip_grad_norm(parameters)
    nn.utils.get_total_norm(parameters)
    nn.utils.parameters_to_vector(parameters)
    nn.utils.vector_to_parameters(parameters)
    nn.utils.weight_norm(module)
    nn.utils.spectral_norm(module)
    nn.utils.remove_weight_norm(module)
    nn.utils.remove_spectral_norm(module)
    nn.utils.skip_init(module)
    nn.utils.fuse_conv_bn_eval(module)
    nn.utils.fuse_linear_bn_eval(module)
    return module


def packed(x, lengths):
    x = rnn.pack_padded_sequence(x, lengths)
    x = rnn.pad_packed_sequence(x, lengths)
    x = rnn.pack_sequence(x, lengths)
    x = rnn.unpack_sequence(x, lengths)
    x = rnn.PackedSequence(x, lengths)
    x = rnn.unpad_sequence(x, lengths)
    return x
